// What the loader and tests call by name.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <CL/cl_layer.h>

#include "driver.hpp"
#include "handles.hpp"
#include "interface.hpp"
#include "process.hpp"
#include "rules_in_force.hpp"
#include "wrappers.hpp"

#define ANYCL_LAYER_EXPORT extern "C" __attribute__((visibility("default")))

using namespace anycl::test_layer;

namespace {

constexpr const char* kVariable = "ANYCL_TEST_LAYER";
constexpr cl_uint kTableEntries = sizeof(cl_icd_dispatch) / sizeof(void*);

template <class Value>
cl_int answer_info(const Value* value, std::size_t bytes, std::size_t size, void* place, std::size_t* size_ret) {
  if (place != nullptr && size < bytes) return CL_INVALID_VALUE;
  if (place != nullptr) std::memcpy(place, value, bytes);
  if (size_ret != nullptr) *size_ret = bytes;
  return CL_SUCCESS;
}

void read_rules() {
  const char* text = std::getenv(kVariable);
  try {
    put_in_force(text == nullptr ? "" : text);
  } catch (const RuleError& error) {
    end_process(std::string(kVariable) + ": " + error.what());
  }
}

}  // namespace

ANYCL_LAYER_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                                     void* param_value, size_t* param_value_size_ret) {
  static constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  static constexpr char name[] = "anycl test layer";
  if (param_name == CL_LAYER_API_VERSION)
    return answer_info(&version, sizeof(version), param_value_size, param_value, param_value_size_ret);
  if (param_name == CL_LAYER_NAME)
    return answer_info(name, sizeof(name), param_value_size, param_value, param_value_size_ret);
  return CL_INVALID_VALUE;
}

ANYCL_LAYER_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch* target_dispatch,
                                                  cl_uint* num_entries_ret,
                                                  const cl_icd_dispatch** layer_dispatch_ret) {
  if (target_dispatch == nullptr || num_entries_ret == nullptr || layer_dispatch_ret == nullptr ||
      num_entries < kTableEntries)
    return CL_INVALID_VALUE;
  set_driver(*target_dispatch);
  read_rules();
  watch_process_end();
  *layer_dispatch_ret = &wrappers();
  *num_entries_ret = kTableEntries;
  return CL_SUCCESS;
}

ANYCL_LAYER_EXPORT void anycl_layer_report(Counts* counts) {
  const CallCounts calls = call_counts();
  const auto live = [](HandleType type) { return Handles::instance().live(type); };
  *counts = {calls.calls,
             calls.refused,
             calls.late,
             live(HandleType::device),
             live(HandleType::context),
             live(HandleType::queue),
             live(HandleType::buffer),
             live(HandleType::sampler),
             live(HandleType::program),
             live(HandleType::kernel),
             live(HandleType::event)};
}

ANYCL_LAYER_EXPORT int anycl_layer_rules(const char* rules, char* message, std::size_t size) {
  try {
    put_in_force(rules);
    return 0;
  } catch (const RuleError& error) {
    std::snprintf(message, size, "%s", error.what());
    return -1;
  }
}

ANYCL_LAYER_EXPORT const char* anycl_layer_rules_text() { return rules_in_force().text.c_str(); }

ANYCL_LAYER_EXPORT void anycl_layer_mark_shutdown(int on) { mark_shutdown(on != 0); }
