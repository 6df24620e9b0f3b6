// Needs: a driver with compiler, threads
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "device/device_record.hpp"
#include "program/own_context.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/fake_driver.hpp"
#include "support/faults.hpp"
#include "support/folder.hpp"
#include "support/spirv_words.hpp"

using namespace anycl;
using Words = std::vector<std::uint32_t>;

namespace {

Source source_of(const Words& words, const std::string& name = "scale.spv") {
  return Source::from_spirv(std::as_bytes(std::span(words)), name);
}

bool takes(const Device& device, const Version& version = {1, 0}) {
  const auto& languages = device.capabilities().intermediate_languages;
  return std::find(languages.begin(), languages.end(), NamedVersion{"SPIR-V", version}) != languages.end();
}

/// Every device that takes SPIR-V; on the others a build is Unsupported, and says so.
template <class Body>
void for_each_taker(Body&& body) {
  test::for_each_device([&](test::Rig& rig) {
    if (takes(rig.device)) return body(rig);
    Buffer<std::uint32_t> x(rig.context, 4);
    CHECK_THROWS_WITH(
        launch(rig.queue, Kernel(rig.context, source_of(test::scale_module()), "scale"), 4, x, 2),
        "build of scale.spv for " + rig.device.name() + ": the device takes no SPIR-V modules; give the source");
  });
}

Words run(auto& bench, const Kernel& kernel) {
  Buffer<std::uint32_t> x(bench.context, Words{1, 2, 3, 4});
  launch(bench.queue, kernel, 4, x, std::uint32_t{5});
  return to_host(x);
}

Words with(std::size_t index, std::uint32_t word) {
  Words words = test::scale_module();
  words.at(index) = word;
  return words;
}

}  // namespace

TEST_CASE("a module runs where the device takes SPIR-V, and is Unsupported elsewhere", "[program][spirv]") {
  for_each_taker([](test::Rig& rig) {
    const Kernel kernel(rig.context, source_of(test::scale_module()), "scale");
    CHECK(run(rig, kernel) == Words{5, 10, 15, 20});
    CHECK_THROWS_AS(run(rig, Kernel(rig.context, source_of(test::scale_module()), "other")), InvalidArgument);
  });
}

TEST_CASE("a module of a later SPIR-V than the device takes is Unsupported", "[program][spirv]") {
  for_each_taker([](test::Rig& rig) {
    try {
      run(rig, Kernel(rig.context, source_of(test::scale_module({1, 99})), "scale"));
      FAIL("no error");
    } catch (const Unsupported& error) {
      const std::string begin =
          "build of scale.spv for " + rig.device.name() + ": the device takes no SPIR-V 1.99; it takes 1.0";
      CHECK(std::string(error.what()).starts_with(begin));
    }
  });
}

TEST_CASE("modules are builds by the value of their bytes, with options", "[program][spirv]") {
  for_each_taker([](test::Rig& rig) {
    test::OwnContext own(rig.device);
    const auto built = [&] { return kernel_cache_statistics(own.context).built; };
    const auto relaxed = BuildOptions().set(BuildFlag::fast_relaxed_math).warnings(Warnings::errors);

    CHECK(run(own, Kernel(own.context, source_of(test::scale_module()), "scale")) == Words{5, 10, 15, 20});
    CHECK(run(own, Kernel(own.context, source_of(test::scale_module()), "scale")) == Words{5, 10, 15, 20});
    CHECK(built() == 1);
    CHECK(run(own, Kernel(own.context, source_of(test::scale_module({1, 0}, 1)), "scale")) == Words{6, 12, 18, 24});
    CHECK(built() == 2);
    CHECK(run(own, Kernel(own.context, source_of(test::scale_module()), "scale", relaxed)) == Words{5, 10, 15, 20});
    CHECK(built() == 3);
  });
}

TEST_CASE("a module is stored and found again on disk", "[program][spirv]") {
  for_each_taker([](test::Rig& rig) {
    const test::Folder cache;
    const auto run_once = [&](int term) {
      test::OwnContext own(rig.device, "on", cache.path());
      const Kernel kernel(own.context, source_of(test::scale_module({1, 0}, term)), "scale");
      CHECK(run(own, kernel).front() == 5u + static_cast<unsigned>(term));
      flush_kernel_cache(own.context);
      return kernel_cache_statistics(own.context);
    };

    CHECK(run_once(0).built == 1);
    CHECK(run_once(0).from_disk == 1);
    CHECK(run_once(1).built == 1);

    const test::Variable folder("ANYCL_CACHE_DIR", cache.path());
    const auto programs = stored_programs().programs;
    REQUIRE(programs.size() == 2);
    CHECK(programs[0].source == "scale.spv");
    CHECK(programs[0].kernels == std::vector<std::string>{"scale"});
  });
}

TEST_CASE("definitions and a language are refused for a module, with the reason", "[program][spirv]") {
  Context& context = test::shared_context();
  const Source module = source_of(test::scale_module());

  CHECK_THROWS_WITH(Kernel(context, module, "scale", {{"N", 3}}),
                    "scale.spv is a SPIR-V module: N cannot be defined, since its macros were replaced when it was "
                    "compiled; build a module for each value, or give the source");
  CHECK_THROWS_WITH(Kernel(context, module, "scale", BuildOptions().language({2, 0})),
                    "scale.spv is a SPIR-V module: its language was chosen when it was compiled");
  CHECK_THROWS_AS(Kernel(context, module, "scale").specialise({{"N", 3}}), InvalidArgument);
}

TEST_CASE("bytes that are no module for kernels never reach a driver", "[program][spirv]") {
  const auto refusal = [](const Words& words, std::size_t bytes) -> std::string {
    try {
      static_cast<void>(Source::from_spirv(std::as_bytes(std::span(words)).first(bytes), "m.spv"));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "taken";
  };
  const auto refusal_of = [&](const Words& words) { return refusal(words, words.size() * 4); };
  const std::string begin = "m.spv is no SPIR-V module for kernels: ";
  const Words whole = test::scale_module();
  const std::size_t size = whole.size() * 4;
  constexpr std::uint32_t kGlCompute = 5;

  CHECK(refusal_of(whole) == "taken");
  CHECK(refusal_of({}) == begin + "0 bytes hold no header");
  CHECK(refusal(whole, 19) == begin + "19 bytes hold no header");
  CHECK(refusal(whole, size - 1) == begin + std::to_string(size - 1) + " bytes are not whole words");
  CHECK(refusal_of(with(0, 0x464c457f)) == begin + "it begins with 0x464c457f, not with 0x07230203");
  CHECK(refusal_of(with(0, 0x03022307)) == begin + "its bytes are in the order of another kind of machine");
  CHECK(refusal_of(with(1, 1)) == begin + "its header says version 0x00000001, bound 64 and schema 0");
  CHECK(refusal_of(with(3, 0)) == begin + "its header says version 0x00010000, bound 0 and schema 0");
  CHECK(refusal_of(with(4, 7)) == begin + "its header says version 0x00010000, bound 64 and schema 7");
  CHECK(refusal_of(with(5, 17)) ==
        begin + "instruction 17 at word 5 of " + std::to_string(whole.size()) + " claims 0 words");
  CHECK(refusal_of(with(5, 0xffff0011)) ==
        begin + "instruction 17 at word 5 of " + std::to_string(whole.size()) + " claims 65535 words");
  CHECK(refusal_of({whole.begin(), whole.begin() + 5}) == begin + "it has no kernel: modules for graphics have none");
  CHECK(refusal_of(test::SpirvWriter().add(15, kGlCompute, 10, "main").words()) ==
        begin + "it has no kernel: modules for graphics have none");
  // Cut anywhere inside an instruction: never taken.
  for (std::size_t words = 5; words < whole.size(); ++words) {
    CAPTURE(words);
    const std::string answer = refusal(whole, words * 4);
    CHECK((answer.find("claims") != std::string::npos || answer == "taken" || answer.ends_with("have none")));
  }
}

TEST_CASE("a module of any alignment is taken, and copied", "[program][spirv]") {
  const Words words = test::scale_module();
  const auto bytes = std::as_bytes(std::span(words));
  std::vector<std::byte> shifted(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), shifted.begin() + 1);

  const Source source = Source::from_spirv(std::span(shifted).subspan(1));
  std::fill(shifted.begin(), shifted.end(), std::byte{});

  CHECK(source.name() == "module");
  CHECK(source.text().empty());
  CHECK(std::equal(bytes.begin(), bytes.end(), source.module().begin(), source.module().end()));
  CHECK(Source("text").module().empty());
}

namespace {

/// A driver before OpenCL 2.1, or without the function.
struct OldDriver {
  static inline bool has_extension_function = true;
  static inline std::size_t seen_bytes = 0;

  static cl_program CL_API_CALL create(cl_context, const void*, size_t size, cl_int* code) {
    seen_bytes = size;
    *code = CL_OUT_OF_HOST_MEMORY;  // far enough: the call was made
    return nullptr;
  }

  static detail::EntryPoints table() {
    static detail::EntryPoints fake;
    fake = test::fake_driver();
    detail::EntryPoints table = fake;
    table.clCreateProgramWithIL = nullptr;
    table.clGetExtensionFunctionAddressForPlatform = [](cl_platform_id, const char* name) -> void* {
      const bool asked_for = std::string(name) == "clCreateProgramWithILKHR";
      return asked_for && has_extension_function ? reinterpret_cast<void*>(&create) : nullptr;
    };
    table.clGetDeviceInfo = [](cl_device_id device, cl_device_info what, size_t size, void* value, size_t* size_ret) {
      const auto give = [&](std::string text) {
        if (size_ret != nullptr) *size_ret = text.size() + 1;
        if (value != nullptr && size > text.size())
          std::copy_n(text.c_str(), text.size() + 1, static_cast<char*>(value));
        return CL_SUCCESS;
      };
      if (what == CL_DEVICE_VERSION) return give("OpenCL 1.2 old");
      if (what == CL_DEVICE_EXTENSIONS) return give("cl_khr_il_program");
      if (what == CL_DEVICE_IL_VERSION) return give("SPIR-V_1.0");
      return fake.clGetDeviceInfo(device, what, size, value, size_ret);
    };
    return table;
  }
};

}  // namespace

TEST_CASE("a driver before OpenCL 2.1 gets modules by its extension", "[program][spirv]") {
  const detail::EntryPoints old = OldDriver::table();
  const detail::ScopedEntryPoints in_force(old);
  const test::Variable no_disk_cache("ANYCL_CACHE", "off");
  Context context(discover().devices());
  Queue queue(context, context.device(0));
  Buffer<std::uint32_t> x(context, 4);
  const auto launch_module = [&] { launch(queue, Kernel(context, source_of(test::scale_module()), "scale"), 4, x, 2); };

  OldDriver::has_extension_function = true;
  CHECK_THROWS_AS(launch_module(), Error);
  CHECK(OldDriver::seen_bytes == test::scale_module().size() * 4);

  OldDriver::has_extension_function = false;
  OldDriver::seen_bytes = 0;
  CHECK_THROWS_WITH(launch_module(), Catch::Matchers::Contains("clCreateProgramWithIL"));
  CHECK(OldDriver::seen_bytes == 0);
}
