#include "wrappers.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "answers.hpp"
#include "callbacks.hpp"
#include "driver.hpp"
#include "entries.hpp"
#include "gates.hpp"
#include "handles.hpp"
#include "interface.hpp"
#include "out_values.hpp"
#include "process.hpp"
#include "rules_in_force.hpp"
#include "signature.hpp"

namespace anycl::test_layer {
namespace {

// clang-format off
constexpr cl_int invalid(cl_device_id) { return CL_INVALID_DEVICE; }
constexpr cl_int invalid(cl_context) { return CL_INVALID_CONTEXT; }
constexpr cl_int invalid(cl_command_queue) { return CL_INVALID_COMMAND_QUEUE; }
constexpr cl_int invalid(cl_mem) { return CL_INVALID_MEM_OBJECT; }
constexpr cl_int invalid(cl_sampler) { return CL_INVALID_SAMPLER; }
constexpr cl_int invalid(cl_program) { return CL_INVALID_PROGRAM; }
constexpr cl_int invalid(cl_kernel) { return CL_INVALID_KERNEL; }
constexpr cl_int invalid(cl_event) { return CL_INVALID_EVENT; }
// clang-format on

/// The layer's own functions have addresses too: that is how a test finds them, and whether they are there.
void* own_function(std::string_view name) {
  if (name == "anycl_layer_report") return reinterpret_cast<void*>(&anycl_layer_report);
  if (name == "anycl_layer_rules") return reinterpret_cast<void*>(&anycl_layer_rules);
  if (name == "anycl_layer_rules_text") return reinterpret_cast<void*>(&anycl_layer_rules_text);
  if (name == "anycl_layer_mark_shutdown") return reinterpret_cast<void*>(&anycl_layer_mark_shutdown);
  return nullptr;
}

/// clCreateKernelsInProgram need not tell how many there are.
cl_uint kernels_in(cl_program program) {
  cl_uint count = 0;
  driver().clCreateKernelsInProgram(program, 0, nullptr, &count);
  return count;
}

/// Nor need clCreateSubDevices.
cl_uint parts_of(cl_device_id device, const cl_device_partition_property* properties) {
  cl_uint count = 0;
  driver().clCreateSubDevices(device, properties, 0, nullptr, &count);
  return count;
}

bool succeeded(cl_int code) { return code == CL_SUCCESS; }
bool succeeded(const void* made) { return made != nullptr; }

template <Entry Which, auto Member, class Function>
struct Wrapper;

/// What stands in the table for the entry `Which`, whose driver function is the table's `Member`.
template <Entry Which, auto Member, class Answer, class... Parameters>
struct Wrapper<Which, Member, Answer(CL_API_CALL*)(Parameters...)> {
  using Arguments = std::tuple<Parameters...>;
  static constexpr std::size_t kSize = sizeof...(Parameters);
  static constexpr bool kIsCommand = kWaitList<Arguments> != kNoIndex;

  static Answer CL_API_CALL call(Parameters... parameters) {
    const Arguments arguments{parameters...};
    if constexpr (Which == Entry::clGetExtensionFunctionAddress)
      if (void* function = own_function(std::get<0>(arguments))) return function;  // no call of the application's

    const std::uint64_t number = note_call(Which);
    const auto code = rules_in_force().refusal(Which, param_of(arguments));
    if (!code) return carry_out(arguments, number);
    note_refused_call();
    if constexpr (happens_even_if_refused(Which))
      carry_out(arguments, number);
    else
      poison_results(arguments);
    return refused<Answer>(*code, arguments);
  }

 private:
  static std::optional<cl_uint> param_of(const Arguments& arguments) {
    if constexpr (kIsQuery<Arguments>)
      return param_name(arguments);
    else
      return std::nullopt;
  }

  static Answer carry_out(const Arguments& asked, std::uint64_t number) {
    if constexpr (is_release(Which))
      if (is_one_too_many(asked)) return invalid(std::get<0>(asked));
    open_gates_for(asked);

    Arguments arguments = asked;
    wrap_callbacks(arguments);
    if constexpr (std::is_void_v<Answer>) {
      hand_on(arguments);
    } else {
      const Answer answer = hand_on(arguments);
      if (succeeded(answer)) note_references(answer, asked, number);
      return answer;
    }
  }

  // ---------------------------------------------------------------------------------- references

  /// The rule `handles` keeps such a release from the driver, which might not survive it.
  static bool is_one_too_many(const Arguments& arguments) {
    if (Handles::instance().released(std::get<0>(arguments)) || !rules_in_force().rules.handles) return false;
    accuse(std::string(name_of(Which)) + " of a handle whose references are gone");
    return true;
  }

  /// Those that the application has after a call that succeeded.
  static void note_references(const auto& answer, const Arguments& arguments, std::uint64_t number) {
    Handles& handles = Handles::instance();
    if constexpr (CountedHandle<Answer>) handles.made(answer, Which, number);
    if constexpr (is_retain(Which)) handles.retained(std::get<0>(arguments));
    if constexpr (Which == Entry::clCreateKernelsInProgram) {
      const auto& [program, capacity, kernels, count] = arguments;
      for (cl_uint i = 0; kernels != nullptr && i < kernels_in(program); ++i) handles.made(kernels[i], Which, number);
    }
    if constexpr (Which == Entry::clCreateSubDevices) {
      const auto& [device, properties, capacity, parts, count] = arguments;
      for (cl_uint i = 0; parts != nullptr && i < parts_of(device, properties); ++i)
        handles.made(parts[i], Which, number);
    }
    if constexpr (kIsCommand || Which == Entry::clEnqueueMarker)
      if (const cl_event* event = std::get<cl_event*>(arguments)) handles.made(*event, Which, number);
  }

  // ------------------------------------------------------------------------------------ commands

  static bool is_blocking(const Arguments& arguments) {
    if constexpr (blocking_flag(Which) == kNoIndex)
      return false;
    else
      return std::get<blocking_flag(Which)>(arguments) != CL_FALSE;
  }

  /// What flushes a queue by the specification, too.
  static void open_gates_for(const Arguments& arguments) {
    if constexpr (Which == Entry::clFlush || Which == Entry::clReleaseCommandQueue)
      open_gates(std::get<0>(arguments));
    else if constexpr (Which == Entry::clWaitForEvents)
      open_gates_of(std::get<0>(arguments), std::get<1>(arguments));
    else if constexpr (blocking_flag(Which) != kNoIndex)
      if (is_blocking(arguments)) open_gates(std::get<0>(arguments));
  }

  /// A marker or barrier without a wait list waits for all before it; a wait list of ours would change that. And a wait
  /// list that is none is for the driver to refuse.
  static bool may_be_gated(const Arguments& arguments) {
    const cl_uint count = std::get<kWaitList<Arguments> - 1>(arguments);
    const bool orders_queue =
        Which == Entry::clEnqueueMarkerWithWaitList || Which == Entry::clEnqueueBarrierWithWaitList;
    return !is_blocking(arguments) && (count > 0) == (std::get<kWaitList<Arguments>>(arguments) != nullptr) &&
           !(orders_queue && count == 0);
  }

  static Answer enqueue(Arguments& arguments) {
    if (!may_be_gated(arguments)) return std::apply(driver().*Member, arguments);
    auto& count = std::get<kWaitList<Arguments> - 1>(arguments);
    auto& waits = std::get<kWaitList<Arguments>>(arguments);
    auto& event = std::get<kWaitList<Arguments> + 1>(arguments);
    GatedCommand command(std::get<0>(arguments), count, waits);
    command.apply(count, waits, event);
    const Answer answer = std::apply(driver().*Member, arguments);
    if (succeeded(answer)) command.taken(event);
    return answer;
  }

  /// The rule `corrupt`: the read happens at once, then one byte of it is another.
  static Answer read_buffer(Arguments& arguments) {
    const auto byte = rules_in_force().damage();
    if (!byte) return enqueue(arguments);
    std::get<blocking_flag(Which)>(arguments) = CL_TRUE;
    open_gates_for(arguments);
    const Answer answer = enqueue(arguments);
    const std::size_t size = std::get<4>(arguments);
    if (succeeded(answer) && *byte < size) static_cast<unsigned char*>(std::get<5>(arguments))[*byte] ^= 0xFF;
    return answer;
  }

  // ------------------------------------------------------------------------------------- queries

  static Answer ask(const Arguments& arguments) {
    Query query{Which, param_name(arguments), nullptr, 0, nullptr, std::get<kSize - 1>(arguments), {}};
    std::tie(query.size, query.value) = answer_memory(arguments);
    if constexpr ((std::is_same_v<Parameters, cl_device_id> || ...)) query.device = std::get<cl_device_id>(arguments);
    query.ask = [&](cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
      Arguments asked = arguments;
      std::get<kSize - 4>(asked) = param;
      std::get<kSize - 3>(asked) = size;
      std::get<kSize - 2>(asked) = value;
      std::get<kSize - 1>(asked) = size_ret;
      return std::apply(driver().*Member, asked);
    };
    return answer(query);
  }

  static Answer finish(const Arguments& arguments) {
    const FinishingQueue scope(std::get<0>(arguments));
    return std::apply(driver().*Member, arguments);
  }

  static Answer hand_on(Arguments& arguments) {
    if constexpr (kIsQuery<Arguments>)
      return ask(arguments);
    else if constexpr (Which == Entry::clGetDeviceIDs)
      return std::apply(&answer_device_ids, arguments);
    else if constexpr (Which == Entry::clGetSupportedImageFormats)
      return std::apply(&answer_image_formats, arguments);
    else if constexpr (Which == Entry::clEnqueueReadBuffer)
      return read_buffer(arguments);
    else if constexpr (kIsCommand)
      return enqueue(arguments);
    else if constexpr (Which == Entry::clFinish)
      return finish(arguments);
    else
      return std::apply(driver().*Member, arguments);
  }
};

cl_icd_dispatch make_table() {
  cl_icd_dispatch table = driver();
#define ANYCL_LAYER_WRAP(name) \
  if (table.name != nullptr)   \
    table.name = &Wrapper<Entry::name, &cl_icd_dispatch::name, decltype(cl_icd_dispatch::name)>::call;
  ANYCL_LAYER_ENTRIES(ANYCL_LAYER_WRAP)
#undef ANYCL_LAYER_WRAP
  return table;
}

}  // namespace

const cl_icd_dispatch& wrappers() {
  static const cl_icd_dispatch table = make_table();
  return table;
}

}  // namespace anycl::test_layer
