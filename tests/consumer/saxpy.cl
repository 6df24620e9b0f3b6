kernel void saxpy(const float a, global const float* restrict x, global float* restrict y, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
