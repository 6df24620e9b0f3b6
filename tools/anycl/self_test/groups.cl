// Work-items of a group that hand numbers to one another.
// NDRange  1-D, any number of groups of any size
// Loops    `rounds`; local_memory: 2 * words / group size
// Memory   writes 1 per work-item; one uint of local memory per work-item, or `words`
// Needs    OpenCL C 1.2

// Each round every work-item takes the number of its neighbour: at the end its own is that of `rounds` neighbours on.
kernel void barriers(local uint* numbers, const uint rounds, global uint* results) {
    const uint id = (uint)get_local_id(0);
    const uint size = (uint)get_local_size(0);
    numbers[id] = id;
    for (uint round = 0; round < rounds; ++round) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint next = numbers[(id + 1) % size];
        barrier(CLK_LOCAL_MEM_FENCE);
        numbers[id] = next;
    }
    results[get_global_id(0)] = numbers[id];
}

// Fills `words` of local memory; then every work-item checks what others wrote, and counts what is wrong.
kernel void local_memory(local uint* memory, const uint words, global uint* wrong) {
    const uint id = (uint)get_local_id(0);
    const uint size = (uint)get_local_size(0);
    for (uint i = id; i < words; i += size) memory[i] = i * 2654435761u;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint count = 0;
    for (uint i = id; i < words; i += size) {
        const uint mirrored = words - 1 - i;
        if (memory[mirrored] != mirrored * 2654435761u) ++count;
    }
    wrong[get_global_id(0)] = count;
}
