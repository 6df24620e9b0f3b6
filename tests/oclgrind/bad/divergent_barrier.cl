// Finding  Work-group divergence detected (barrier)
kernel void bad(global uint* x) {
    if (get_local_id(0) < 4) barrier(CLK_GLOBAL_MEM_FENCE);
    x[get_global_id(0)] = 0;
}
