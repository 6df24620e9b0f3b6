// Writes the transpose of a matrix by way of a tile in local memory, so that neighbouring work-items read and write
// neighbouring elements on both sides. Any local size {s, s}; `tile` has room for s * s elements.
kernel void transpose(global const float* restrict from,  // [height][width]
                      global float* restrict to,          // [width][height]
                      const uint width,
                      const uint height,
                      local float* tile) {
    const size_t side = get_local_size(0);
    const size_t x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) tile[get_local_id(1) * side + get_local_id(0)] = from[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);  // outside the guard: all work-items of the group must reach it

    const size_t to_x = get_group_id(1) * side + get_local_id(0);
    const size_t to_y = get_group_id(0) * side + get_local_id(1);
    if (to_x < height && to_y < width) to[to_y * height + to_x] = tile[get_local_id(0) * side + get_local_id(1)];
}
