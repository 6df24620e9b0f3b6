// Half precision on numbers whose sums and products it holds exactly.
// NDRange  1-D, any local size
// Loops    none
// Memory   reads 2 per work-item, writes 3
// Needs    OpenCL C 1.2, cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void half_arithmetic(global const float* a, global const float* b, global float* results) {
    const size_t i = get_global_id(0);
    const size_t n = get_global_size(0);
    const half x = (half)a[i];
    const half y = (half)b[i];
    results[0 * n + i] = (float)(half)(x + y);
    results[1 * n + i] = (float)(half)(x - y);
    results[2 * n + i] = (float)(half)(x * y);
}
