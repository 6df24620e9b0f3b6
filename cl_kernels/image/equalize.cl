// Histogram equalisation per channel, in three launches: count values, turn the counts into a table, apply the table.
// out(v) = floor(255 * (c(v) - cmin) / (N - cmin) + 1/2), where N is the number of pixels, c(v) how many of them are <= v,
// cmin = c at the smallest value that occurs. A channel with a single value stays as it is.
// Host side: lib/image/run.cpp; `counts` must be zero before the first launch
// Build    -D CHANNELS=1|2|3|4 -D INDEX=uint|ulong
// NDRange  equalize_count: 2-D, global = {groups * local, COLOUR_CHANNELS}, local = {any, 1}, groups * local * per_item
//            >= pixels; a small local size (32 to 64) keeps a group's pixels in the cache of a CPU
//          equalize_table: 2-D, global = {256, COLOUR_CHANNELS} or more, any local size
//          equalize_apply: 2-D, global = {width, height} or more, any local size
// Loops    equalize_count: 512 / local + per_item per work-item; equalize_table: 512; equalize_apply: 4
// Memory   equalize_count: reads the picture once, adds 256 counters per group and channel, 1 KiB of local memory
//          equalize_apply: reads the picture, writes it
// Order    exact: counters are integers, any order gives the same bytes
// Needs    OpenCL C 1.2
#include "common/rows.clh"

// Adds how often each value occurs in channel get_global_id(1) to `counts`. Each group counts its pixels in local memory first:
// 256 atomic additions to global memory per group instead of one per pixel.
kernel void equalize_count(global const uchar* restrict src,       // [pixels][CHANNELS]
                           volatile global uint* restrict counts,  // [COLOUR_CHANNELS][256]
                           const uint pixels,                      // width * height, at most 2^28
                           const uint per_item) {                  // pixels a work-item counts
    local uint group_counts[256];
    const uint lid = (uint)get_local_id(0);
    const uint local_size = (uint)get_local_size(0);
    const uint channel = (uint)get_global_id(1);

    for (uint value = lid; value < 256; value += local_size) group_counts[value] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Neighbouring work-items read neighbouring pixels. No early return for pixels past the end: all must reach the barrier.
    const ulong begin = (ulong)get_group_id(0) * local_size * per_item;
    for (uint i = 0; i < per_item; ++i) {
        const ulong pixel = begin + (ulong)i * local_size + lid;
        if (pixel < pixels) atomic_inc(&group_counts[src[(INDEX)pixel * CHANNELS + channel]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint value = lid; value < 256; value += local_size) {
        const uint count = group_counts[value];
        if (count > 0) atomic_add(&counts[channel * 256 + value], count);
    }
}

// One entry of the table per work-item. Each adds up the counts below its value anew: 64K additions in all,
// less than one more launch would cost.
kernel void equalize_table(global const uint* restrict counts,  // [COLOUR_CHANNELS][256]
                           global uchar* restrict table,        // [COLOUR_CHANNELS][256]
                           const uint pixels) {                 // sum of the counts of each channel
    const uint value = (uint)get_global_id(0);
    const uint channel = (uint)get_global_id(1);
    if (value >= 256 || channel >= COLOUR_CHANNELS) return;

    global const uint* count = counts + channel * 256;
    uint up_to_value = 0;
    for (uint v = 0; v <= value; ++v) up_to_value += count[v];
    uint smallest = 0;
    while (smallest < 255 && count[smallest] == 0) ++smallest;

    uchar entry = 0;  // values below the smallest one do not occur
    const ulong others = pixels - count[smallest];
    if (others == 0) {
        entry = (uchar)value;
    } else if (value >= smallest) {
        const ulong rank = up_to_value - count[smallest];
        entry = (uchar)((2 * 255 * rank + others) / (2 * others));  // half up: (2a + b) / 2b = floor(a / b + 1/2)
    }
    table[channel * 256 + value] = entry;
}

// Looks every colour value up in the table. `src` and `dst` may be the same buffer.
kernel void equalize_apply(global const uchar* src,              // [height][width][CHANNELS]
                           global uchar* dst,                    // [height][width][CHANNELS]
                           global const uchar* restrict table,   // [COLOUR_CHANNELS][256]
                           const uint width, const uint height) {  // pixels
    const uint x = (uint)get_global_id(0);
    const uint y = (uint)get_global_id(1);
    if (x >= width || y >= height) return;

    const INDEX pixel = ((INDEX)y * width + x) * CHANNELS;
    for (uint channel = 0; channel < CHANNELS; ++channel) {
        const uchar value = src[pixel + channel];
        dst[pixel + channel] = channel < COLOUR_CHANNELS ? table[channel * 256 + value] : value;
    }
}
