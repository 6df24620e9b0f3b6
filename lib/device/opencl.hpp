/// \file  The one way the library sees OpenCL: C API through our own entry table, CLHPP for ownership. Layer 1 (device).
///
/// The `cl*` names used in this library are functions of our own (entry_points.cpp), so neither the headers nor CLHPP
/// pull in a link to an OpenCL loader. Versions come from the build system. CLHPP is used for RAII handles only.
#pragma once

#include <CL/opencl.hpp>
