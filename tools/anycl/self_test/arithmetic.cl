// The operations of one integer type.
// Build    -D T=char..ulong -D U=uint|ulong: an unsigned type that T fits in and that does not promote to int
// NDRange  1-D, any local size
// Loops    none
// Memory   reads 2 per work-item, writes 8
// Needs    OpenCL C 1.2
kernel void integer_arithmetic(global const T* a, global const T* b, global T* results) {
    const size_t i = get_global_id(0);
    const size_t n = get_global_size(0);
    const U x = (U)a[i];
    const U y = (U)b[i];
    const U shift = y & (8 * sizeof(T) - 1);
    results[0 * n + i] = (T)(x + y);
    results[1 * n + i] = (T)(x - y);
    results[2 * n + i] = (T)(x * y);
    results[3 * n + i] = a[i] / b[i];
    results[4 * n + i] = a[i] % b[i];
    results[5 * n + i] = (T)(x ^ y);
    results[6 * n + i] = (T)(x << shift);
    results[7 * n + i] = (T)(a[i] >> shift);
}
