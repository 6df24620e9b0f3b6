#include "builtin_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace anycl::stub {
namespace {

using uint = std::uint32_t;
using ulong = std::uint64_t;

/// What one work-item knows of itself; the names are those of OpenCL C.
class Item {
 public:
  explicit Item(const Launch& launch) noexcept : launch_(launch) {}

  [[nodiscard]] std::size_t get_global_id(std::size_t d) const noexcept { return launch_.range.offset[d] + place_[d]; }
  [[nodiscard]] std::size_t get_global_size(std::size_t d) const noexcept { return launch_.range.global[d]; }
  [[nodiscard]] std::size_t get_local_size(std::size_t d) const noexcept { return launch_.range.local[d]; }
  [[nodiscard]] cl_uint get_work_dim() const noexcept { return launch_.range.dimensions; }
  /// The `index`-th `#` of the line in the table.
  [[nodiscard]] std::int64_t literal(std::size_t index) const { return launch_.literals.at(index); }

  /// Moves on to the next work-item; false after the last one.
  bool next() noexcept {
    for (std::size_t d = 0; d < 3; ++d) {
      if (++place_[d] < launch_.range.global[d]) return true;
      place_[d] = 0;
    }
    return false;
  }

 private:
  const Launch& launch_;
  Sizes place_{0, 0, 0};
};

/// Gives arguments the types that a function takes; what is local to a group is there for the length of a launch.
class Arguments {
 public:
  explicit Arguments(const Launch& launch) : launch_(launch) {
    for (const BoundArgument& argument : launch.arguments) scratch_.emplace_back(argument.local_bytes);
  }

  template <class T>
  [[nodiscard]] T get(std::size_t index) {
    const BoundArgument& argument = launch_.arguments[index];
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(argument.local_bytes != 0 ? scratch_[index].data() : argument.memory);
    } else {
      T value;
      std::memcpy(&value, argument.value(), sizeof value);
      return value;
    }
  }

 private:
  const Launch& launch_;
  std::vector<std::vector<std::byte>> scratch_;
};

template <auto Function, class... Parameters, std::size_t... Index>
void run_items(const Launch& launch, void (*)(const Item&, Parameters...), std::index_sequence<Index...>) {
  Arguments arguments(launch);
  const std::tuple<Parameters...> values{arguments.get<Parameters>(Index)...};
  Item item(launch);
  do {
    Function(item, std::get<Index>(values)...);
  } while (item.next());
}

template <class... Parameters>
constexpr auto indices_of(void (*)(const Item&, Parameters...)) {
  return std::index_sequence_for<Parameters...>{};
}

/// Makes a function of one work-item a function of a launch.
template <auto Function>
void run(const Launch& launch) {
  run_items<Function>(launch, Function, indices_of(Function));
}

// The functions, each as its kernel reads in OpenCL C.

void advance(const Item& item, uint* x, uint factor, uint term, uint n) {
  const std::size_t i = item.get_global_id(0);
  if (i < n) x[i] = x[i] * factor + term;
}

void combine(const Item& item, const uint* x, uint* y, uint factor, uint n) {
  const std::size_t i = item.get_global_id(0);
  if (i < n) y[i] = y[i] * factor + x[i];
}

void slow(const Item& item, uint* x, uint n) {
  const std::size_t i = item.get_global_id(0);
  if (i >= n) return;
  uint value = x[i];
  for (uint round = 0; round < 20000; ++round) value = value * 1664525u + 1013904223u;
  x[i] = value;
}

void saxpy(const Item& item, const float* x, float* y, float a, uint n) {
  const std::size_t i = item.get_global_id(0);
  if (i < n) y[i] += a * x[i];
}

void saxpy_scalar_first(const Item& item, float a, const float* x, float* y, ulong n) {
  const std::size_t i = item.get_global_id(0);
  if (i < n) y[i] += a * x[i];
}

void scale(const Item& item, float* x, float a) { x[item.get_global_id(0)] *= a; }

void work(const Item& item, const float* x, float* y, uint n) {
  const std::size_t i = item.get_global_id(0);
  if (i < n) y[i] += x[i];
}

void add_one(const Item& item, int* x) { x[item.get_global_id(0)] += 1; }
void add_amount(const Item& item, ulong* values, ulong amount) { values[item.get_global_id(0)] += amount; }
void store(const Item&, int* x, int at, int value) { x[at] = value; }
void one(const Item&, int* x) { x[0] = 1; }
void mute(const Item&, int* out, int a) { *out = a + 1; }

void triple(const Item&, int* x, uint n) {
  if (n != 0) x[0] *= 3;
}

void multiply_by_literal(const Item& item, int* x, uint n) {
  if (n != 0) x[0] *= static_cast<int>(item.literal(0));
}

void places(const Item& item, uint* seen, ulong* sizes) {
  const std::size_t i =
      item.get_global_id(0) +
      item.get_global_size(0) * (item.get_global_id(1) + item.get_global_size(1) * item.get_global_id(2));
  seen[i] = static_cast<uint>(i) + 1;
  if (i != 0) return;
  for (std::size_t d = 0; d < 3; ++d) {
    sizes[d] = item.get_global_size(d);
    sizes[3 + d] = item.get_local_size(d);
  }
  sizes[6] = item.get_work_dim();
}

void guarded(const Item& item, int* x, uint n, ulong* size) {
  const std::size_t i = item.get_global_id(0);
  if (i == 0) *size = item.get_global_size(0);
  if (i < n) x[i] += 1;
}

void line(const Item& item, ulong* local_size) { *local_size = item.get_local_size(0); }
void tile(const Item& item, ulong* local_size) { *local_size = item.get_local_size(0) * item.get_local_size(1); }
void store_literal(const Item& item, int* x) { *x = static_cast<int>(item.literal(0)); }
void store_count(const Item&, int* x, uint n, float) { *x = static_cast<int>(n); }

void first_or_default(const Item&, int* out, const int* maybe, const int* table) {
  out[0] = maybe != nullptr ? maybe[0] : -1;
  out[1] = table != nullptr ? table[0] : -2;
}

void widen(const Item&, std::int64_t* out, std::int8_t a, std::uint8_t b, std::int16_t c, std::uint16_t d,
           std::int32_t e, uint f, std::int64_t g) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = e;
  out[5] = f;
  out[6] = g;
}

struct Entry {
  std::string_view text;
  BuiltinFunction run;
};

// To add one: write the function above, and its kernel here. Names of parameters do not matter, nor does `restrict`.
// Where a body is given, the kernel must have the same one; a `#` in it is any number, or a `constant int` of the program.
constexpr Entry kEntries[] = {
    {"advance(global uint* x, uint factor, uint term, uint n)", run<advance>},
    {"combine(global const uint* x, global uint* y, uint factor, uint n)", run<combine>},
    {"slow(global uint* x, uint n)", run<slow>},
    {"saxpy(global const float* x, global float* y, float a, uint n)", run<saxpy>},
    {"saxpy(float a, global const float* x, global float* y, ulong n)", run<saxpy_scalar_first>},
    {"scale(global float* x, float a)", run<scale>},
    {"work(global const float* x, global float* y, uint n)", run<work>},
    {"add(global int* x)", run<add_one>},
    {"add(global ulong* values, ulong amount)", run<add_amount>},
    {"store(global int* x, int at, int value)", run<store>},
    {"one(global int* x)", run<one>},
    {"mute(global int* out, int a)", run<mute>},
    {"triple(global int* x, uint n) { if (n) x[0] *= 3; }", run<triple>},
    {"triple(global int* x, uint n) { if (n) x[0] *= #; }", run<multiply_by_literal>},
    {"places(global uint* seen, global ulong* sizes)", run<places>},
    {"guarded(global int* x, uint n, global ulong* size)", run<guarded>},
    {"line(global ulong* local_size)", run<line>},
    {"tile(global ulong* local_size)", run<tile>},
    {"k(global int* x) { *x = #; }", run<store_literal>},
    {"k(global int* x, uint n, float f) { *x = n; }", run<store_count>},
    {"k(global int* out, global const int* maybe, constant int* table)", run<first_or_default>},
    {"k(global long* out, char a, uchar b, short c, ushort d, int e, uint f, long g)", run<widen>},
};

/// One line of the table, read as the declaration of a kernel.
struct Candidate {
  KernelDeclaration kernel;
  bool any_body;
  BuiltinFunction run;
};

Candidate read_entry(const Entry& entry) {
  const bool any_body = entry.text.find('{') == std::string_view::npos;
  const std::string source = "kernel void " + std::string(entry.text) + (any_body ? "{}" : "");
  return {read_declarations(scan(source)).kernels.at(0), any_body, entry.run};
}

const std::vector<Candidate>& candidates() {
  static const auto* all = [] {
    auto* list = new std::vector<Candidate>;  // never destroyed: builds may go on while the process ends
    for (const Entry& entry : kEntries) list->push_back(read_entry(entry));
    return list;
  }();
  return *all;
}

bool same_parameters(const KernelDeclaration& a, const KernelDeclaration& b) {
  return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
                    [](const Parameter& x, const Parameter& y) { return x.type == y.type && x.space == y.space; });
}

std::optional<std::int64_t> literal_of(const Token& token, const ProgramDeclarations& program) {
  if (token.kind == Token::Kind::number) return std::strtoll(token.text.c_str(), nullptr, 0);
  const auto constant = program.constants.find(token.text);
  if (constant == program.constants.end()) return std::nullopt;
  return constant->second;
}

/// The literals where `pattern` has `#`; nothing when the bodies differ.
std::optional<std::vector<std::int64_t>> match_bodies(const std::vector<Token>& pattern,
                                                      const KernelDeclaration& kernel,
                                                      const ProgramDeclarations& program) {
  if (pattern.size() != kernel.body.size()) return std::nullopt;
  std::vector<std::int64_t> literals;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i].text == kernel.body[i].text) continue;
    const auto literal = pattern[i].text == "#" ? literal_of(kernel.body[i], program) : std::nullopt;
    if (!literal) return std::nullopt;
    literals.push_back(*literal);
  }
  return literals;
}

}  // namespace

std::unique_ptr<const Builtin> find_builtin(const KernelDeclaration& kernel, const ProgramDeclarations& program) {
  for (const Candidate& candidate : candidates()) {
    if (candidate.kernel.name != kernel.name || !same_parameters(candidate.kernel, kernel)) continue;
    std::optional<std::vector<std::int64_t>> literals(std::in_place);
    if (!candidate.any_body) literals = match_bodies(candidate.kernel.body, kernel, program);
    if (literals) return std::make_unique<const Builtin>(Builtin{candidate.run, std::move(*literals)});
  }
  return nullptr;
}

}  // namespace anycl::stub
