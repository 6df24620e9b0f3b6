// Sum of a window of RADIUS values on each side, and the value itself. Past the ends there are zeros.
kernel void window_sum(global const T* from, global T* to, uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    T sum = 0;
    for (int at = (int)i - RADIUS; at <= (int)i + RADIUS; ++at) {
        if (at >= 0 && at < (int)n) sum += from[at];
    }
    to[i] = sum;
}
