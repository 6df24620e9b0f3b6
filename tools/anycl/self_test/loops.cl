// A long loop whose result depends on every turn.
// NDRange  1-D, any local size
// Loops    `turns` per work-item
// Memory   writes 1 per work-item
// Needs    OpenCL C 1.2
kernel void long_loop(const uint turns, global uint* results) {
    uint x = (uint)get_global_id(0);
    for (uint turn = 0; turn < turns; ++turn) x = x * 1664525u + 1013904223u;
    results[get_global_id(0)] = x;
}
