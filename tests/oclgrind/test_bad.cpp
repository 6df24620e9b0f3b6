// What the self-test of tests/oclgrind/gate.py launches.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "oclgrind/launch_log.hpp"
#include "support/catch.hpp"

using namespace anycl;

TEST_CASE("child: one of the kernels in bad/", "[.][bad]") {
  const char* path = std::getenv("ANYCL_BAD_KERNEL");
  REQUIRE(path != nullptr);
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});

  test::on_oclgrind([&](test::Rig& rig) {
    Buffer<std::uint32_t> buffer(rig.context, std::vector<std::uint32_t>(16, 1));
    const Kernel kernel(rig.context, Source(text, "bad.cl"), "bad");

    launch(rig.queue, kernel, Range(16, {8}), buffer).wait();
  });
  test::on_oclgrind([](test::Rig&) {});  // what was found in one context must outlast the next one
}
