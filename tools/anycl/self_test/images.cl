// A picture mirrored from one image into another.
// NDRange  2-D, the picture's size
// Loops    none
// Memory   reads and writes 1 pixel per work-item
// Needs    OpenCL C 1.2, images
constant sampler_t kNearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void mirror(read_only image2d_t source, write_only image2d_t target) {
    const int2 to = (int2)((int)get_global_id(0), (int)get_global_id(1));
    const int2 from = (int2)(get_image_width(source) - 1 - to.x, to.y);
    write_imageui(target, to, read_imageui(source, kNearest, from));
}
