// Indices whose upper 32 bits matter.
// NDRange  1-D, any local size
// Loops    none
// Memory   reads and writes 1 per work-item
// Needs    OpenCL C 1.2, 64 address bits
kernel void wide_indices(global const uint* source, const ulong stride, global uint* results) {
    const size_t i = get_global_id(0);
    const size_t far = i * stride;  // beyond 2^32, but for the first
    results[i] = source[far / stride] + (uint)(far >> 32);
}
