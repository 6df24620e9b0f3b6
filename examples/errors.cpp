/// \file  What goes wrong, and what the program is told. Kernels here are text made at run time.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

namespace {

int failures = 0;

/// Runs `act` and shows the error; counts a failure unless it is an `Expected` whose text has all of `words`.
template <class Expected>
void expect(std::string_view what, const std::vector<std::string_view>& words, const std::function<void()>& act) {
  try {
    act();
    std::printf("errors: %s: nothing was thrown\n", what.data());
    ++failures;
  } catch (const Expected& error) {
    const std::string_view text = error.what();
    std::printf("%s\n\n", error.what());
    for (const std::string_view word : words) {
      if (text.find(word) != std::string_view::npos) continue;
      std::printf("errors: %s: the text above does not say '%s'\n", what.data(), word.data());
      ++failures;
    }
  }
}

void show_build_error(anycl::Queue& queue, anycl::Context& context) {
  // [readme:build_error]
  const anycl::Source source(
      "kernel void scale(global float* x, const float a) {\n"
      "    x[get_global_id(0)] *= factor;\n"
      "}\n",
      "scale.cl");
  anycl::Kernel scale(context, source, "scale");  // builds nothing yet
  anycl::Buffer<float> x(context, 100);
  try {
    launch(queue, scale, 100, x, 2.0f);
  } catch (const anycl::BuildError& error) {
    std::puts(error.what());  // place, message, source line; error.messages() and error.log() have all
  }
  // [/readme]
  std::puts("");
  expect<anycl::BuildError>("a second try", {"scale.cl:2", "factor", "x[get_global_id(0)] *= factor;"},
                            [&] { launch(queue, scale, 100, x, 2.0f); });
}

void show_refused_launches(anycl::Queue& queue, anycl::Context& context) {
  anycl::Kernel scale(context, "kernel void scale(global float* x, const float a) { x[get_global_id(0)] *= a; }",
                      "scale");
  anycl::Buffer<float> x(context, 100);
  anycl::Buffer<int> integers(context, 100);

  expect<anycl::InvalidArgument>("type of a value", {"scale", "'a'", "float", "double"},
                                 [&] { launch(queue, scale, 100, x, 2.0); });
  expect<anycl::InvalidArgument>("type of a buffer", {"scale", "'x'", "float", "int"},
                                 [&] { launch(queue, scale, 100, integers, 2.0f); });
  expect<anycl::InvalidArgument>("number of arguments", {"scale", "2", "1"}, [&] { launch(queue, scale, 100, x); });
  expect<anycl::InvalidArgument>("group size", {"scale", "{8}", "{100}", "padded"}, [&] {
    launch(queue, scale, anycl::Range{{100}, {8}}, x, 2.0f);
  });
  expect<anycl::InvalidArgument>("range of a write", {"write", "past", "100"},
                                 [&] { write(queue, x, std::vector<float>(32), 96); });
}

}  // namespace

int main() {
  anycl::Context context;
  anycl::Queue queue(context, context.device(0));
  show_build_error(queue, context);
  show_refused_launches(queue, context);
  expect<anycl::NoDevice>("no device", {"no device"}, [] { anycl::Context nothing("no_such_driver"); });
  return failures == 0 ? 0 : 1;
}
