// y = a x + y. Guarded, so any global size of at least n is right.
kernel void saxpy(const float a,
                  global const float* restrict x,  // [n]
                  global float* restrict y,        // [n]
                  const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
