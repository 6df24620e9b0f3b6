/// \file  All of anycl's core in one include.
#pragma once

#include "anycl/base/error.hpp"
#include "anycl/base/log.hpp"
#include "anycl/base/version.hpp"
#include "anycl/context/context.hpp"
#include "anycl/context/event.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/device/device.hpp"
#include "anycl/device/selection.hpp"
#include "anycl/memory/buffer.hpp"
#include "anycl/memory/transfer.hpp"
#include "anycl/program/build_options.hpp"
#include "anycl/program/kernel.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "anycl/program/launch.hpp"
#include "anycl/program/range.hpp"
#include "anycl/program/source.hpp"
