#include "support/device_headers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "reference/philox.hpp"
#include "support/catch.hpp"

namespace anycl::test {
namespace {

using Uints = std::vector<std::uint32_t>;

constexpr const char* kFloatAtomics = R"(
#include <anycl/atomic.clh>
kernel void atomics(global const float* x, uint n, global float* all, global float* before, global float* of_group) {
    const size_t i = get_global_id(0);
    local float own[3];
    if (get_local_id(0) == 0) {
        own[0] = 0.0f;
        own[1] = NAN;
        own[2] = NAN;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        anycl_atomic_add_float_global(all, x[i]);
        anycl_atomic_min_float_global(all + 1, x[i]);
        anycl_atomic_max_float_global(all + 2, x[i]);
        before[i] = anycl_atomic_add_float_global(all + 3, 1.0f);
        anycl_atomic_add_float_local(own, x[i]);
        anycl_atomic_min_float_local(own + 1, x[i]);
        anycl_atomic_max_float_local(own + 2, x[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        for (uint k = 0; k < 3; ++k) of_group[3 * get_group_id(0) + k] = own[k];
}
)";

constexpr const char* kInt64Atomics = R"(
#include <anycl/atomic.clh>
kernel void atomics(global const T* x, uint n, global T* all, global T* of_group) {
    const size_t i = get_global_id(0);
    local T own[1];
    if (get_local_id(0) == 0) own[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        ADD(all, x[i]);
        MIN(all + 1, x[i]);
        MAX(all + 2, x[i]);
        if (EXCHANGE(all + 3, 7) == 5) ADD(all + 4, 1);
        if (COMPARE_EXCHANGE(all + 5, 5, x[i]) == 5) ADD(all + 6, x[i]);
        ADD_LOCAL(own, x[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) of_group[get_group_id(0)] = own[0];
}
)";

constexpr const char* kPhilox = R"(
#include <anycl/random.clh>
kernel void draw(global const uint4* counter, global const uint2* key, global uint4* bits, global float4* uniform) {
    const size_t i = get_global_id(0);
    bits[i] = anycl_philox4x32(counter[i], key[i]);
    uniform[i] = anycl_uniform_float4(bits[i]);
}
)";

constexpr const char* kSubGroups = R"(
#include <anycl/sub_group.clh>
kernel void ask(global const int* x, global uint* places, global int* ints, global uint* uints, global float* floats,
                local uint* scratch) {
    const size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    const int value = x[i];
    places[5 * i] = anycl_sub_group_id();
    places[5 * i + 1] = anycl_sub_group_local_id();
    places[5 * i + 2] = anycl_sub_group_size();
    places[5 * i + 3] = anycl_sub_group_max_size();
    places[5 * i + 4] = ANYCL_HAS_SUB_GROUPS;
    ints[8 * i] = anycl_sub_group_reduce_add_int(value, scratch);
    ints[8 * i + 1] = anycl_sub_group_reduce_min_int(value, scratch);
    ints[8 * i + 2] = anycl_sub_group_reduce_max_int(value, scratch);
    ints[8 * i + 3] = anycl_sub_group_scan_inclusive_add_int(value, scratch);
    ints[8 * i + 4] = anycl_sub_group_scan_exclusive_add_int(value, scratch);
    ints[8 * i + 5] = anycl_sub_group_broadcast_int(value, anycl_sub_group_size() - 1, scratch);
    ints[8 * i + 6] = anycl_sub_group_any(value == 3, scratch);
    ints[8 * i + 7] = anycl_sub_group_all(value < 90, scratch);
    uints[i] = anycl_sub_group_reduce_max_uint((uint)value, scratch);
    floats[3 * i] = anycl_sub_group_reduce_add_float((float)value, scratch);
    floats[3 * i + 1] = anycl_sub_group_scan_inclusive_add_float((float)value, scratch);
    floats[3 * i + 2] = anycl_sub_group_reduce_min_float((float)value, scratch);
}
)";

/// Whole numbers of both signs, small enough that floats hold each of their sums; each comes by once in 199.
std::vector<int> whole_numbers(std::size_t size) {
  std::vector<int> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<int>(i * 73 % 199) - 99;
  return numbers;
}

std::size_t group_for(const Rig& rig, std::size_t most) {
  return std::min(most, rig.device.capabilities().max_group_size);
}

template <class T>
BuildOptions options_for_int64(const std::string& word) {
  const auto name = [&](const char* operation, const char* space) {
    return "anycl_atomic_" + std::string(operation) + "_" + word + "_" + space;
  };
  return {{"T", type<T>},
          {"ADD", name("add", "global")},
          {"MIN", name("min", "global")},
          {"MAX", name("max", "global")},
          {"EXCHANGE", name("exchange", "global")},
          {"COMPARE_EXCHANGE", name("compare_exchange", "global")},
          {"ADD_LOCAL", name("add", "local")}};
}

template <class T>
void check_int64(Rig& rig, std::size_t size, const std::string& word) {
  const Kernel kernel(rig.context, kInt64Atomics, "atomics", options_for_int64<T>(word));
  const std::size_t group = group_for(rig, 16);
  const std::size_t groups = (size + group - 1) / group;
  // Far beyond 32 bits, and of both signs where there are two.
  std::vector<T> values;
  for (const int number : whole_numbers(size)) values.push_back(static_cast<T>(number) * 0x123456789ab + 6);
  Buffer<T> x(rig.context, values);
  Buffer<T> all(rig.context,
                std::vector<T>{0, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), 5, 0, 5, 0});
  Buffer<T> of_group(rig.context, groups);
  if (!rig.device.capabilities().has_extension("cl_khr_int64_base_atomics")) {
    CHECK_THROWS_AS(launch(rig.queue, kernel, Range({groups * group}, {group}), x, size, all, of_group), Unsupported);
    CHECK_THROWS_WITH(launch(rig.queue, kernel, Range({groups * group}, {group}), x, size, all, of_group),
                      Catch::Matchers::Contains("cl_khr_int64_base_atomics"));
    return;
  }

  launch(rig.queue, kernel, Range({groups * group}, {group}), x, size, all, of_group);

  const auto got = to_host(all);
  CHECK(got[0] == std::accumulate(values.begin(), values.end(), T{0}));
  CHECK(got[1] == *std::min_element(values.begin(), values.end()));
  CHECK(got[2] == *std::max_element(values.begin(), values.end()));
  CHECK(got[3] == 7);
  CHECK(got[4] == 1);
  CHECK(got[5] == got[6]);
  CHECK(std::find(values.begin(), values.end(), got[5]) != values.end());
  const auto parts = to_host(of_group);
  CHECK(std::accumulate(parts.begin(), parts.end(), T{0}) == got[0]);
}

/// What the kernel said of one work-item.
struct SubGroupAnswers {
  Uints places;
  std::vector<int> ints;
  Uints uints;
  std::vector<float> floats;
};

/// `items` are those of one sub-group, by their place in it.
void check_sub_group(const SubGroupAnswers& got, const std::vector<int>& x, const std::vector<std::size_t>& items) {
  std::vector<int> own;
  for (const std::size_t item : items) own.push_back(x[item]);
  const int sum = std::accumulate(own.begin(), own.end(), 0);
  const auto [least, greatest] = std::minmax_element(own.begin(), own.end());
  const bool any = std::find(own.begin(), own.end(), 3) != own.end();
  const bool all = std::all_of(own.begin(), own.end(), [](int value) { return value < 90; });
  const auto as_unsigned = [](int a, int b) { return static_cast<std::uint32_t>(a) < static_cast<std::uint32_t>(b); };
  const auto greatest_bits = static_cast<std::uint32_t>(*std::max_element(own.begin(), own.end(), as_unsigned));
  int before = 0;
  for (std::size_t lane = 0; lane < items.size(); ++lane) {
    const std::size_t i = items[lane];
    const int to_here = before + own[lane];
    const std::vector<int> want{sum, *least, *greatest, to_here, before, own.back(), any, all};
    const std::vector<float> want_floats{static_cast<float>(sum), static_cast<float>(to_here),
                                         static_cast<float>(*least)};
    CAPTURE(i, lane);
    REQUIRE(std::vector<int>(&got.ints[8 * i], &got.ints[8 * i] + 8) == want);
    REQUIRE(got.uints[i] == greatest_bits);
    REQUIRE(std::vector<float>(&got.floats[3 * i], &got.floats[3 * i] + 3) == want_floats);
    before = to_here;
  }
}

/// The work-items of one group, by sub-group and place; checks that each place is taken once.
std::vector<std::vector<std::size_t>> sub_groups_of(const SubGroupAnswers& got, const std::vector<std::size_t>& group) {
  std::vector<std::vector<std::size_t>> all;
  for (const std::size_t i : group) {
    const std::uint32_t id = got.places[5 * i];
    const std::uint32_t size = got.places[5 * i + 2];
    REQUIRE(id < group.size());
    REQUIRE(size <= group.size());
    REQUIRE(got.places[5 * i + 1] < size);
    REQUIRE(size <= got.places[5 * i + 3]);
    if (all.size() <= id) all.resize(id + 1);
    all[id].resize(size, std::numeric_limits<std::size_t>::max());
    REQUIRE(all[id][got.places[5 * i + 1]] == std::numeric_limits<std::size_t>::max());
    all[id][got.places[5 * i + 1]] = i;
  }
  std::size_t places = 0;
  for (const auto& items : all) places += items.size();
  REQUIRE(places == group.size());
  return all;
}

}  // namespace

void check_float_atomics(Rig& rig, std::size_t size) {
  const Kernel kernel(rig.context, kFloatAtomics, "atomics");
  const std::size_t group = group_for(rig, 16);
  const std::size_t groups = (size + group - 1) / group;
  const auto whole = whole_numbers(size);
  std::vector<float> values(whole.begin(), whole.end());
  const float sum = std::accumulate(values.begin(), values.end(), 0.0f);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  Buffer<float> x(rig.context, values);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Buffer<float> all(rig.context, std::vector<float>{0, nan, nan, 0});
  Buffer<float> before(rig.context, size);
  Buffer<float> of_group(rig.context, 3 * groups);

  launch(rig.queue, kernel, Range({groups * group}, {group}), x, size, all, before, of_group);

  CHECK(to_host(all) == std::vector<float>{sum, *least, *greatest, static_cast<float>(size)});
  auto counts = to_host(before);  // each work-item saw another one
  std::sort(counts.begin(), counts.end());
  for (std::size_t i = 0; i < size; ++i) REQUIRE(counts[i] == static_cast<float>(i));
  const auto parts = to_host(of_group);
  for (std::size_t g = 0; g < groups; ++g) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(g * group);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min((g + 1) * group, size));
    REQUIRE(parts[3 * g] == std::accumulate(first, last, 0.0f));
    REQUIRE(parts[3 * g + 1] == *std::min_element(first, last));
    REQUIRE(parts[3 * g + 2] == *std::max_element(first, last));
  }
}

void check_int64_atomics(Rig& rig, std::size_t size) {
  check_int64<std::int64_t>(rig, size, "long");
  check_int64<std::uint64_t>(rig, size, "ulong");
}

void check_philox(Rig& rig, std::size_t size) {
  const Kernel kernel(rig.context, kPhilox, "draw");
  std::vector<Vec<std::uint32_t, 4>> counters;
  std::vector<Vec<std::uint32_t, 2>> keys;
  for (std::uint32_t i = 0; i < size; ++i) {
    counters.push_back({i, i * 0x9e3779b9u, ~i, i << 7});
    keys.push_back({i * 0x85ebca6bu, i + 77});
  }
  Buffer<Vec<std::uint32_t, 4>> counter(rig.context, counters);
  Buffer<Vec<std::uint32_t, 2>> key(rig.context, keys);
  Buffer<Vec<std::uint32_t, 4>> bits(rig.context, size);
  Buffer<Vec<float, 4>> uniform(rig.context, size);

  launch(rig.queue, kernel, size, counter, key, bits, uniform);

  const auto got = to_host(bits);
  const auto floats = to_host(uniform);
  for (std::size_t i = 0; i < size; ++i) {
    CAPTURE(i);
    REQUIRE(got[i] == philox(counters[i], keys[i]));
    for (std::size_t lane = 0; lane < 4; ++lane)
      REQUIRE(floats[i][lane] == static_cast<float>(got[i][lane] >> 8) / 16777216.0f);
  }
}

std::optional<SeenSubGroups> check_sub_groups(Rig& rig, std::size_t width, std::size_t height,
                                              const BuildOptions& options) {
  const Kernel kernel(rig.context, kSubGroups, "ask", options);
  if (width * height > kernel.info(rig.device).max_group_size) return std::nullopt;
  constexpr std::size_t kGroups = 3;
  const std::size_t group = width * height;
  const auto x = whole_numbers(kGroups * group);
  Buffer<int> in(rig.context, x);
  Buffer<std::uint32_t> places(rig.context, 5 * x.size());
  Buffer<int> ints(rig.context, 8 * x.size());
  Buffer<std::uint32_t> uints(rig.context, x.size());
  Buffer<float> floats(rig.context, 3 * x.size());

  launch(rig.queue, kernel, Range({kGroups * width, height}, {width, height}), in, places, ints, uints, floats,
         local<std::uint32_t>(group));

  const SubGroupAnswers got{to_host(places), to_host(ints), to_host(uints), to_host(floats)};
  for (std::size_t g = 0; g < kGroups; ++g) {
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (i % (kGroups * width) / width == g) items.push_back(i);
    for (const auto& sub_group : sub_groups_of(got, items)) check_sub_group(got, x, sub_group);
  }
  return SeenSubGroups{got.places[4] == 1, got.places[3]};
}

}  // namespace anycl::test
