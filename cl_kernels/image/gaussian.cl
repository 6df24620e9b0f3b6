// Gaussian blur in two passes over strips of whole rows: down the columns into float, then along the rows back to u8.
// Columns come first, so a strip needs no rows beyond its own and may be as short as memory asks for.
// Host side: lib/image/run.cpp
// Build    -D CHANNELS=1|2|3|4 -D INDEX=uint|ulong -D LANES=4|16
// NDRange  2-D, global = {ceil(width * CHANNELS / LANES), rows} or more, any local size
// Loops    (2 * radius + 1) * (1 + 16 when the run touches a border) per work-item: 13,617 at radius 400
// Memory   columns: reads rows + 2 * radius rows of u8, writes the strip; rows: reads the strip, writes `rows` rows of u8.
//          The strip is rows * pitch floats, pitch = width * CHANNELS rounded up to a multiple of 16
// Order    fixed: taps are added from the first to the last, the same in every lane; bitwise repeatable on one device
// Needs    OpenCL C 1.2
// Error    at most 1 against exact arithmetic. Each pass adds 2 * radius + 1 <= 801 positive terms that sum to at most
//          255, so both together stay within 1,602 * 2^-24 * 255 < 0.03 of the exact value; only a value that near to a
//          half can round to the other neighbour
#pragma OPENCL FP_CONTRACT OFF
#include "common/lanes.clh"

// Row `first_row + row` of the picture, blurred vertically, into row `row` of the strip.
kernel void gaussian_columns(global const uchar* restrict src,      // [height][width][CHANNELS]
                             global float* restrict strip,          // [rows][pitch]
                             global const float* restrict weights,  // [2 * radius + 1], sum 1
                             const uint width, const uint height,   // pixels of the whole picture
                             const uint radius,
                             const uint first_row,                  // row of the picture that row 0 of the strip holds
                             const uint rows,                       // first_row + rows <= height
                             const uint pitch) {                    // floats from one row of the strip to the next
    const uint first = (uint)get_global_id(0) * LANES;
    const uint row = (uint)get_global_id(1);
    if (first >= width * CHANNELS || row >= rows) return;

    const int top = (int)(first_row + row) - (int)radius;
    float_run sum = (float_run)(0.0f);
    for (uint tap = 0; tap <= 2 * radius; ++tap) {
        global const uchar* line = row_at(src, top + (int)tap, width, height);
        sum += weights[tap] * convert_float_run(load_run(line, first, 0, width));
    }

    vstore_run(sum, 0, strip + (INDEX)row * pitch + first);
}

// Row `row` of the strip, blurred horizontally and rounded, into row `first_row + row` of the picture.
kernel void gaussian_rows(global const float* restrict strip,      // [rows][pitch]
                          global const uchar* restrict src,        // [height][width][CHANNELS], for the alpha channel
                          global uchar* restrict dst,              // [height][width][CHANNELS]
                          global const float* restrict weights,    // [2 * radius + 1], sum 1
                          const uint width,
                          const uint radius,
                          const uint first_row,
                          const uint rows,
                          const uint pitch) {
    const uint first = (uint)get_global_id(0) * LANES;
    const uint row = (uint)get_global_id(1);
    if (first >= width * CHANNELS || row >= rows) return;

    global const float* line = strip + (INDEX)row * pitch;
    float_run sum = (float_run)(0.0f);
    for (uint tap = 0; tap <= 2 * radius; ++tap) {
        sum += weights[tap] * load_run_float(line, first, (int)tap - (int)radius, width);
    }

    const INDEX begin = (INDEX)(first_row + row) * ((INDEX)width * CHANNELS);
    const uchar_run rounded = convert_uchar_run(min(floor(sum + 0.5f), (float_run)(255.0f)));
    store_run(keep_alpha(rounded, load_run(src + begin, first, 0, width)), dst + begin, first, width);
}
