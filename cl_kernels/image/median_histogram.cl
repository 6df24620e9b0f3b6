// Median of a large window: a histogram of the window slides along a row, so a step costs one column, not the window.
// Host side: lib/image/run.cpp; windows of 3 x 3 and 5 x 5: image/median_network.cl
// Build    -D CHANNELS=1|2|3|4 -D INDEX=uint|ulong
// NDRange  3-D, global = {ceil(width / 64), height, CHANNELS} or more, any local size
// Loops    at most 256 + side * side + 64 * (side + 255) per work-item: 19,521 at side 31
// Memory   reads `side` rows, writes 64 pixels of one channel; 512 bytes of private memory per work-item
// Order    exact: any order gives the same bytes
// Needs    OpenCL C 1.2
// Source   T. S. Huang et al., A Fast Two-Dimensional Median Filtering Algorithm, 1979
#include "common/rows.clh"

#define SEGMENT 64  // pixels a work-item slides over: long enough to pay for the first window, short for the loop limit

kernel void median_histogram(global const uchar* restrict src,     // [height][width][CHANNELS]
                             global uchar* restrict dst,           // [height][width][CHANNELS]
                             const uint width, const uint height,  // pixels
                             const uint side) {                    // of the window; odd, at most 255
    const uint begin = (uint)get_global_id(0) * SEGMENT;
    const uint y = (uint)get_global_id(1);
    const uint channel = (uint)get_global_id(2);
    if (begin >= width || y >= height || channel >= CHANNELS) return;

    const uint end = min(begin + SEGMENT, width);
    const int radius = (int)(side / 2);
    global uchar* out = dst + (INDEX)y * ((INDEX)width * CHANNELS);

    if (channel >= COLOUR_CHANNELS) {  // alpha
        global const uchar* in = src + (INDEX)y * ((INDEX)width * CHANNELS);
        for (uint x = begin; x < end; ++x) out[x * CHANNELS + channel] = in[x * CHANNELS + channel];
        return;
    }

    ushort occurrences[256];
    for (int value = 0; value < 256; ++value) occurrences[value] = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        global const uchar* line = row_at(src, (int)y + dy, width, height);
        for (int dx = -radius; dx <= radius; ++dx) {
            ++occurrences[line[reflect((int)begin + dx, (int)width) * CHANNELS + channel]];
        }
    }

    const int half_window = (int)(side * side / 2);  // so many values stand below the median
    int median = 0;
    int below = 0;  // occurrences of all values < median
    for (uint x = begin;; ++x) {
        while (below > half_window) below -= occurrences[--median];
        while (below + occurrences[median] <= half_window) below += occurrences[median++];
        out[x * CHANNELS + channel] = (uchar)median;
        if (x + 1 == end) break;

        const uint leaving = reflect((int)x - radius, (int)width) * CHANNELS + channel;
        const uint entering = reflect((int)x + radius + 1, (int)width) * CHANNELS + channel;
        for (int dy = -radius; dy <= radius; ++dy) {
            global const uchar* line = row_at(src, (int)y + dy, width, height);
            const uchar old_value = line[leaving];
            const uchar new_value = line[entering];
            --occurrences[old_value];
            ++occurrences[new_value];
            below += (new_value < median) - (old_value < median);
        }
    }
}
