// Finding  local memory
kernel void bad(global uint* x) {
    local uint turned[1024];
    turned[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = turned[7 - get_local_id(0)];
}
