// Every sub-group counts its work-items.
// NDRange  1-D, any local size
// Loops    none
// Memory   writes 2 per work-item
// Needs    sub-groups: OpenCL C 3.0 with the feature, cl_khr_subgroups or cl_intel_subgroups
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#ifdef cl_intel_subgroups
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif

kernel void sub_groups(global uint* counted, global uint* sizes) {
    const size_t i = get_global_id(0);
    counted[i] = sub_group_reduce_add(1u);
    sizes[i] = get_sub_group_size();
}
