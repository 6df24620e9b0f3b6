// What a look at all devices costs above the driver's own answers: `discover()` beside the very queries that it makes, which
// are recorded once and asked again raw. The two take turns; medians over all turns. Drivers are loaded before.
//   tests/drivers/with_driver all -- bench_discovery

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>
#include <vector>

#include "anycl/device/device.hpp"
#include "device/entry_points.hpp"
#include "median.hpp"

namespace {

using anycl::detail::EntryPoints;

const EntryPoints& real() {
  static const EntryPoints& table = anycl::detail::entry_points();
  return table;
}

/// A query of a platform or a device, as it was made.
struct Query {
  void* object;
  cl_uint what;
  size_t size;
  bool of_device;
  bool wants_value;
  bool wants_size;
};

/// A list of platforms, or of the devices of one.
struct Listing {
  cl_platform_id platform;  ///< null: of the platforms
  cl_uint room;
};

std::vector<Query> queries;
std::vector<Listing> listings;

EntryPoints recording_table() {
  EntryPoints table = real();
  table.clGetPlatformIDs = [](cl_uint room, cl_platform_id* ids, cl_uint* count) {
    listings.push_back({nullptr, room});
    return real().clGetPlatformIDs(room, ids, count);
  };
  table.clGetDeviceIDs = [](cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id* ids,
                            cl_uint* count) {
    listings.push_back({platform, room});
    return real().clGetDeviceIDs(platform, type, room, ids, count);
  };
  table.clGetPlatformInfo = [](cl_platform_id id, cl_platform_info what, size_t size, void* value, size_t* size_ret) {
    queries.push_back({id, what, size, false, value != nullptr, size_ret != nullptr});
    return real().clGetPlatformInfo(id, what, size, value, size_ret);
  };
  table.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, size_t size, void* value, size_t* size_ret) {
    queries.push_back({id, what, size, true, value != nullptr, size_ret != nullptr});
    return real().clGetDeviceInfo(id, what, size, value, size_ret);
  };
  return table;
}

void record() {
  const EntryPoints table = recording_table();
  const anycl::detail::ScopedEntryPoints in_force(table);
  benchmark::DoNotOptimize(anycl::discover());
}

void ask_raw() {
  static std::vector<char> value(std::size_t{1} << 20);
  static std::vector<void*> ids(4096);
  size_t size = 0;
  cl_uint count = 0;
  for (const Listing& listing : listings) {
    void** const list = listing.room == 0 ? nullptr : ids.data();
    if (listing.platform == nullptr)
      real().clGetPlatformIDs(listing.room, reinterpret_cast<cl_platform_id*>(list), &count);
    else
      real().clGetDeviceIDs(listing.platform, CL_DEVICE_TYPE_ALL, listing.room, reinterpret_cast<cl_device_id*>(list),
                            &count);
  }
  for (const Query& query : queries) {
    void* const into = query.wants_value ? value.data() : nullptr;
    size_t* const into_size = query.wants_size ? &size : nullptr;
    if (query.of_device)
      real().clGetDeviceInfo(static_cast<cl_device_id>(query.object), query.what, query.size, into, into_size);
    else
      real().clGetPlatformInfo(static_cast<cl_platform_id>(query.object), query.what, query.size, into, into_size);
  }
  benchmark::DoNotOptimize(value.data());
}

template <class Act>
double microseconds(Act&& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void discovery(benchmark::State& state) {
  std::vector<double> raw, anycl;
  for ([[maybe_unused]] auto round : state) {
    raw.push_back(microseconds(ask_raw));
    anycl.push_back(microseconds([] { benchmark::DoNotOptimize(anycl::discover()); }));
  }
  state.counters["queries"] = static_cast<double>(queries.size());
  state.counters["raw_us"] = median(raw);
  state.counters["anycl_us"] = median(anycl);
  state.counters["ratio"] = median(anycl) / median(raw);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  record();
  benchmark::RegisterBenchmark("discover", discovery)->Iterations(2000)->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
}
