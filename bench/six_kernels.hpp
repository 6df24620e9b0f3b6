/// \file  A program of usual size for measurements: six kernels in about a hundred lines.
#pragma once

inline constexpr const char* kSixKernels = R"(
inline float weight(int distance, float sigma) { return exp(-(float)(distance * distance) / (2.0f * sigma * sigma)); }

inline int inside(int position, int size) { return clamp(position, 0, size - 1); }

kernel void blur_rows(global const float* from, global float* to, int width, int height, int radius, float sigma) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  float weights = 0.0f;
  for (int d = -radius; d <= radius; ++d) {
    const float w = weight(d, sigma);
    sum += w * from[y * width + inside(x + d, width)];
    weights += w;
  }
  to[y * width + x] = sum / weights;
}

kernel void blur_columns(global const float* from, global float* to, int width, int height, int radius, float sigma) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  float weights = 0.0f;
  for (int d = -radius; d <= radius; ++d) {
    const float w = weight(d, sigma);
    sum += w * from[inside(y + d, height) * width + x];
    weights += w;
  }
  to[y * width + x] = sum / weights;
}

kernel void gradient(global const float* from, global float2* to, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) return;
  const float right = from[y * width + inside(x + 1, width)];
  const float left = from[y * width + inside(x - 1, width)];
  const float below = from[inside(y + 1, height) * width + x];
  const float above = from[inside(y - 1, height) * width + x];
  to[y * width + x] = (float2)(right - left, below - above) * 0.5f;
}

kernel void magnitude(global const float2* from, global float* to, int count) {
  const int i = get_global_id(0);
  if (i >= count) return;
  to[i] = sqrt(dot(from[i], from[i]));
}

kernel void partial_sums(global const float* from, global float* to, int count, local float* scratch) {
  const int item = get_local_id(0);
  const int i = get_global_id(0);
  scratch[item] = i < count ? from[i] : 0.0f;
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) scratch[item] += scratch[item + half_size];
  }
  if (item == 0) to[get_group_id(0)] = scratch[0];
}

kernel void matrix_product(global const float* a, global const float* b, global float* c, int n, local float* tile_a,
                           local float* tile_b) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int side = get_local_size(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k += side) {
    tile_a[ly * side + lx] = y < n && k + lx < n ? a[y * n + k + lx] : 0.0f;
    tile_b[ly * side + lx] = x < n && k + ly < n ? b[(k + ly) * n + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < side; ++j) sum += tile_a[ly * side + j] * tile_b[j * side + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < n && y < n) c[y * n + x] = sum;
}
)";
