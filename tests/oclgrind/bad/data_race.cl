// Finding  data race at global memory address
kernel void bad(global uint* x) {
    const size_t i = get_global_id(0);
    x[(i + 1) % get_global_size(0)] = x[i];
}
