#include "support/layer.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "layer/interface.hpp"

namespace anycl::test {
namespace {

/// The layer's functions, by way of the loader's extension mechanism: asking brings loader and layers up, and the layer
/// does not count it as a call.
void* find_in_layer(const char* name) {
  using Find = void* (*)(const char*);
  static const Find find = [] {
    void* entry = ::dlsym(RTLD_DEFAULT, "clGetExtensionFunctionAddress");
    if (entry != nullptr) return reinterpret_cast<Find>(entry);
    void* loader = ::dlopen("libOpenCL.so.1", RTLD_NOW);
    if (loader == nullptr) throw std::runtime_error("libOpenCL.so.1 cannot be opened");
    return reinterpret_cast<Find>(::dlsym(loader, "clGetExtensionFunctionAddress"));
  }();
  return find(name);
}

template <class Function>
Function* layer_function(const char* name) {
  void* found = find_in_layer(name);
  if (found == nullptr)
    throw std::runtime_error("the test layer is not up: start this process with OPENCL_LAYERS=" + layer_file());
  return reinterpret_cast<Function*>(found);
}

void put_in_force(const std::string& rules) {
  std::array<char, 1024> message{};
  const auto put = layer_function<decltype(anycl_layer_rules)>("anycl_layer_rules");
  if (put(rules.c_str(), message.data(), message.size()) != 0) throw std::runtime_error(message.data());
}

}  // namespace

std::string layer_file() {
  if (const char* file = std::getenv("ANYCL_TEST_LAYER_FILE")) return file;  // ctest says so
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return (program.parent_path().parent_path() / "lib" / "libanycl_test_layer.so").string();
}

std::vector<std::string> under_layer(std::string_view rules) {
  return {"OPENCL_LAYERS=" + layer_file(), "ANYCL_TEST_LAYER=" + std::string(rules)};
}

bool layer_is_up() { return find_in_layer("anycl_layer_report") != nullptr; }

LayerReport layer_report() {
  test_layer::Counts counts{};
  layer_function<decltype(anycl_layer_report)>("anycl_layer_report")(&counts);
  return {counts.calls,   counts.failed,   counts.late,     counts.sub_devices, counts.contexts, counts.queues,
          counts.buffers, counts.samplers, counts.programs, counts.kernels,     counts.events};
}

void leave_objects_behind() {
  const char* text = std::getenv("ANYCL_TEST_LAYER");
  if (text == nullptr || !layer_is_up()) return;
  std::string rules;
  std::istringstream all(text);
  for (std::string rule; std::getline(all, rule, ';');)
    if (rule.find("handles") == std::string::npos) rules += rule + ";";
  ::setenv("ANYCL_TEST_LAYER", rules.c_str(), 1);
  put_in_force(rules);
}

void mark_shutdown(bool on) {
  layer_function<decltype(anycl_layer_mark_shutdown)>("anycl_layer_mark_shutdown")(on ? 1 : 0);
}

LayerRules::LayerRules(const std::string& rules)
    : before_(layer_function<decltype(anycl_layer_rules_text)>("anycl_layer_rules_text")()) {
  put_in_force(rules);
}

LayerRules::~LayerRules() { put_in_force(before_); }

}  // namespace anycl::test
