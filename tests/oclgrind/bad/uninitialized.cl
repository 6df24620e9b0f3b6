// Finding  Uninitialized value written to global memory address
kernel void bad(global uint* x) {
    uint sum;
    for (uint i = 0; i < x[0]; ++i) sum += x[i];
    x[get_global_id(0)] = sum;
}
