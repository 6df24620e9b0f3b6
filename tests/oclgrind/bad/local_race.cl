// Finding  data race at local memory address
kernel void bad(global uint* x) {
    local uint turned[8];
    const size_t lid = get_local_id(0);
    turned[lid] = x[get_global_id(0)];
    x[get_global_id(0)] = turned[7 - lid];
}
