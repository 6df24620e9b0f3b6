kernel void add(global ulong* values, const ulong amount) {
    values[get_global_id(0)] += amount;
}
