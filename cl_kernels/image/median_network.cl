// Median of a small window by minima and maxima only: no branch, no memory but the window itself, many elements at once.
// Host side: lib/image/run.cpp; larger windows: image/median_histogram.cl
// Build    -D CHANNELS=1|2|3|4 -D INDEX=uint|ulong -D LANES=4|16 -D SIDE=3|5
// NDRange  2-D, global = {ceil(width * CHANNELS / LANES), height} or more, any local size
// Loops    at most 16 * SIDE * SIDE + 250 per work-item: 650
// Memory   reads SIDE rows, writes one
// Order    exact: any order gives the same bytes
// Needs    OpenCL C 1.2
#include "common/lanes.clh"

// Orders two runs lane by lane: the smaller values end in `a`, the larger ones in `b`.
#define ORDER(a, b)                       \
    do {                                  \
        const uchar_run smaller = min(a, b); \
        b = max(a, b);                    \
        a = smaller;                      \
    } while (0)

#define MEDIAN_OF_3(a, b, c) max(min(a, b), min(max(a, b), c))

#if SIDE == 3

// Sort each column of the window. Of the nine values the median is then the median of three: the largest of the column
// minima, the median of the column medians, the smallest of the column maxima; all others have five on one side.
uchar_run median_of_window(global const uchar* rows[SIDE], const uint first, const uint width) {
    uchar_run low[3], middle[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = load_run(rows[0], first, i - 1, width);
        middle[i] = load_run(rows[1], first, i - 1, width);
        high[i] = load_run(rows[2], first, i - 1, width);
        ORDER(low[i], middle[i]);
        ORDER(middle[i], high[i]);
        ORDER(low[i], middle[i]);
    }
    const uchar_run largest_low = max(max(low[0], low[1]), low[2]);
    const uchar_run middle_middle = MEDIAN_OF_3(middle[0], middle[1], middle[2]);
    const uchar_run smallest_high = min(min(high[0], high[1]), high[2]);
    return MEDIAN_OF_3(largest_low, middle_middle, smallest_high);
}

#else

#define WINDOW (SIDE * SIDE)
#define KEPT (WINDOW / 2 + 2)

// Of any WINDOW / 2 + 2 values the smallest and the largest cannot be the median of the whole window. So: take that
// many, drop both extremes, add one more value, and go on until three are left.
uchar_run median_of_window(global const uchar* rows[SIDE], const uint first, const uint width) {
    uchar_run kept[KEPT];  // unrolled, it lives in registers: 6 times faster on PoCL, 3 times on Intel's runtime
    #pragma unroll
    for (int i = 0; i < KEPT; ++i) kept[i] = load_run(rows[i / SIDE], first, i % SIDE - SIDE / 2, width);

    int next = KEPT;
    #pragma unroll
    for (int last = KEPT - 1; last > 2; --last) {
        #pragma unroll
        for (int i = 0; i < last; ++i) ORDER(kept[i], kept[last]);  // the largest moves to kept[last]
        #pragma unroll
        for (int i = 1; i < last; ++i) ORDER(kept[0], kept[i]);     // the smallest moves to kept[0]
        kept[0] = load_run(rows[next / SIDE], first, next % SIDE - SIDE / 2, width);
        ++next;
    }
    return MEDIAN_OF_3(kept[0], kept[1], kept[2]);
}

#endif

kernel void median_network(global const uchar* restrict src,       // [height][width][CHANNELS]
                           global uchar* restrict dst,             // [height][width][CHANNELS]
                           const uint width, const uint height) {  // pixels
    const uint first = (uint)get_global_id(0) * LANES;
    const uint y = (uint)get_global_id(1);
    if (first >= width * CHANNELS || y >= height) return;

    global const uchar* rows[SIDE];
    for (int i = 0; i < SIDE; ++i) rows[i] = row_at(src, (int)y + i - SIDE / 2, width, height);

    const uchar_run original = load_run(rows[SIDE / 2], first, 0, width);
    const uchar_run median = median_of_window(rows, first, width);
    store_run(keep_alpha(median, original), dst + (INDEX)y * ((INDEX)width * CHANNELS), first, width);
}
