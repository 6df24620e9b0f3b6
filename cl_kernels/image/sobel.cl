// Edge strength per channel: magnitude of the gradient by the two 3 x 3 Sobel masks, rounded half up, at most 255.
// Host side: lib/image/run.cpp
// Build    -D CHANNELS=1|2|3|4 -D INDEX=uint|ulong -D LANES=4|16
// NDRange  2-D, global = {ceil(width * CHANNELS / LANES), height} or more, any local size
// Loops    at most 160 per work-item, in border runs only
// Memory   reads 3 rows, writes one
// Order    exact: integers throughout; the float square root is only a first guess
// Needs    OpenCL C 1.2
// Source   I. Sobel, G. Feldman, An Isotropic 3x3 Image Gradient Operator, 1968
#pragma OPENCL FP_CONTRACT OFF
#include "common/lanes.clh"

short_run load_short(global const uchar* row, const uint first, const int dx, const uint width) {
    return convert_short_run(load_run(row, first, dx, width));
}

// floor(sqrt(square) + 0.5): the integer r with r * r - r < square <= r * r + r. A guess that is off by one, whatever
// the accuracy of the device's square root, is put right in integers. `square` is at most 65,280.
int_run rounded_root(const int_run square) {
    int_run root = convert_int_run(sqrt(convert_float_run(square)) + 0.5f);
    root += select((int_run)(0), (int_run)(1), root * root + root < square);
    root -= select((int_run)(0), (int_run)(1), root > 0 && square <= root * root - root);
    return root;
}

kernel void sobel(global const uchar* restrict src,       // [height][width][CHANNELS]
                  global uchar* restrict dst,             // [height][width][CHANNELS]
                  const uint width, const uint height) {  // pixels
    const uint first = (uint)get_global_id(0) * LANES;
    const uint y = (uint)get_global_id(1);
    if (first >= width * CHANNELS || y >= height) return;

    global const uchar* above = row_at(src, (int)y - 1, width, height);
    global const uchar* here = row_at(src, (int)y, width, height);
    global const uchar* below = row_at(src, (int)y + 1, width, height);

    const short_run above_left = load_short(above, first, -1, width);
    const short_run above_right = load_short(above, first, 1, width);
    const short_run below_left = load_short(below, first, -1, width);
    const short_run below_right = load_short(below, first, 1, width);

    const short_run left = above_left + (short)2 * load_short(here, first, -1, width) + below_left;
    const short_run right = above_right + (short)2 * load_short(here, first, 1, width) + below_right;
    const short_run up = above_left + (short)2 * load_short(above, first, 0, width) + above_right;
    const short_run down = below_left + (short)2 * load_short(below, first, 0, width) + below_right;

    const int_run gx = convert_int_run(right - left);
    const int_run gy = convert_int_run(down - up);
    // 255 * 255 + 255 is the largest square whose root rounds to 255: clamping here spares it later.
    const int_run square = min(gx * gx + gy * gy, (int_run)(65280));

    const uchar_run magnitude = convert_uchar_run(rounded_root(square));
    const uchar_run original = load_run(here, first, 0, width);
    store_run(keep_alpha(magnitude, original), dst + (INDEX)y * ((INDEX)width * CHANNELS), first, width);
}
