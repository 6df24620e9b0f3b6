// The operations of one floating-point type.
// Build    -D T=float|double, for double -D NEEDS_FP64
// NDRange  1-D, any local size
// Loops    none
// Memory   reads 2 per work-item, writes 6
// Needs    OpenCL C 1.2, plus cl_khr_fp64 when T is double
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

kernel void floating_arithmetic(global const T* a, global const T* b, global T* results) {
    const size_t i = get_global_id(0);
    const size_t n = get_global_size(0);
    results[0 * n + i] = a[i] + b[i];
    results[1 * n + i] = a[i] - b[i];
    results[2 * n + i] = a[i] * b[i];
    results[3 * n + i] = fma(a[i], b[i], a[i]);
    results[4 * n + i] = a[i] / b[i];
    results[5 * n + i] = sqrt(fabs(a[i]));
}
