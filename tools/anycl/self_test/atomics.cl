// All work-items at once on eight counters, in global and in local memory.
// NDRange  1-D; local_atomics writes the counters of each group
// Loops    at most one per work-item that meets in a counter
// Memory   8 counters in global memory, or 8 per group of local memory
// Order    none: every operation gives one result in any order
// Needs    OpenCL C 1.2
#define COUNTERS 8

#define COUNT(space)                                                              \
    void count_in_##space(volatile space uint* counters, const uint i) {         \
        atomic_add(&counters[0], i);                                             \
        atomic_sub(&counters[1], i);                                             \
        atomic_inc(&counters[2]);                                                \
        atomic_min(&counters[3], i);                                             \
        atomic_max(&counters[4], i);                                             \
        atomic_or(&counters[5], 1u << (i % 32));                                 \
        atomic_xor(&counters[6], i);                                             \
        for (uint old = counters[7];;) {                                         \
            const uint seen = atomic_cmpxchg(&counters[7], old, old + 1);        \
            if (seen == old) break;                                              \
            old = seen;                                                          \
        }                                                                        \
    }
COUNT(global)
COUNT(local)

kernel void global_atomics(global uint* counters) {
    count_in_global(counters, (uint)get_global_id(0));
}

kernel void local_atomics(global uint* results) {
    local uint counters[COUNTERS];
    if (get_local_id(0) == 0) {
        for (uint i = 0; i < COUNTERS; ++i) counters[i] = (i == 3) ? UINT_MAX : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    count_in_local(counters, (uint)get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (uint i = 0; i < COUNTERS; ++i) results[get_group_id(0) * COUNTERS + i] = counters[i];
    }
}
