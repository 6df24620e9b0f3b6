kernel void scale(global float* x, const float factor) { x[get_global_id(0)] *= factor; }

kernel void shift(global float* x, const float offset) { x[get_global_id(0)] += offset; }
