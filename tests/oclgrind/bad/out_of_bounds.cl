// Finding  Invalid write of size 4 at global memory address
kernel void bad(global uint* x) { x[get_global_id(0) + 1] = 0; }
