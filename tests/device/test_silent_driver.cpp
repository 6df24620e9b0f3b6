// Needs: no driver
#include "device/silent_driver.hpp"

#include <CL/cl_ext.h>

#include <filesystem>

#include "support/catch.hpp"
#include "support/folder.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using detail::judge_silence;
using detail::PlatformAnswer;
using Verdict = detail::DriverTrial::Verdict;

namespace {

namespace fs = std::filesystem;

constexpr const char* kNvidia = "/usr/lib/libnvidia-opencl.so.1";

/// A folder as /sys, of a machine with one PCI device.
class System {
 public:
  System(const std::string& vendor, const std::string& device_class) {
    const fs::path device = folder_.path() / "bus/pci/devices/0000:01:00.0";
    fs::create_directories(device);
    test::write_file(device / "vendor", vendor + "\n");
    test::write_file(device / "class", device_class + "\n");
  }
  [[nodiscard]] std::string path() const { return folder_.path(); }

 private:
  test::Folder folder_;
};

}  // namespace

TEST_CASE("a driver without a platform is all right where there is nothing to drive", "[device][silent_driver]") {
  const auto answer = GENERATE(PlatformAnswer{CL_PLATFORM_NOT_FOUND_KHR}, PlatformAnswer{CL_SUCCESS});
  const System no_card("0x10de", "0x040300");  // its sound
  const System other_card("0x1002", "0x030000");

  CHECK(judge_silence("/usr/lib/libany.so", answer, other_card.path()).verdict == Verdict::usable);
  CHECK(judge_silence(kNvidia, answer, no_card.path()).verdict == Verdict::usable);
  CHECK(judge_silence(kNvidia, answer, other_card.path()).verdict == Verdict::usable);
  CHECK(judge_silence(kNvidia, answer, "/no/system").verdict == Verdict::usable);
}

TEST_CASE("a card's own driver that does not see it is told, with what helps [OCL-016]", "[device][silent_driver]") {
  const auto [file, vendor, maker] = GENERATE(table<std::string, std::string, std::string>({
      {kNvidia, "0x10de", "NVIDIA"},
      {"/opt/rocm/lib/libamdocl64.so", "0x1002", "AMD"},
      {"/usr/lib/intel-opencl/libigdrcl.so", "0x8086", "Intel"},
  }));
  const auto device_class = GENERATE(as<std::string>{}, "0x030000", "0x030200", "0x120000");
  const System system(vendor, device_class);

  const auto none = judge_silence(file, PlatformAnswer{CL_PLATFORM_NOT_FOUND_KHR}, system.path());
  const auto refused = judge_silence(file, PlatformAnswer{CL_OUT_OF_HOST_MEMORY}, system.path());

  CHECK(none.verdict == Verdict::useless);
  CHECK_THAT(none.text, StartsWith("has no platform, though there is a card of " + maker) && Contains("reboot"));
  CHECK(refused.verdict == Verdict::useless);
  CHECK_THAT(refused.text, StartsWith("gives CL_OUT_OF_HOST_MEMORY (-6) when asked for its platforms, though"));
}

TEST_CASE("any other answer than that there is no platform is told", "[device][silent_driver]") {
  const std::string file = "/usr/lib/libany.so";

  CHECK(judge_silence(file, std::nullopt).text == "is no OpenCL driver: it lacks clIcdGetPlatformIDsKHR");
  CHECK(judge_silence(file, PlatformAnswer{CL_OUT_OF_HOST_MEMORY}).text ==
        "gives CL_OUT_OF_HOST_MEMORY (-6) when asked for its platforms");
  CHECK(judge_silence(file, PlatformAnswer{CL_SUCCESS, 1}).verdict == Verdict::useless);
  for (const PlatformAnswer& nonsense :
       {PlatformAnswer{7}, PlatformAnswer{CL_SUCCESS, 5000}, PlatformAnswer{CL_SUCCESS, 2, true}})
    CHECK(judge_silence(file, nonsense).verdict == Verdict::harmful);
}

TEST_CASE("Intel's driver for its cards may call their absence what it likes", "[device][silent_driver]") {
  const System system("0x10de", "0x030000");

  CHECK(judge_silence("/usr/lib/libigdrcl.so", PlatformAnswer{CL_OUT_OF_HOST_MEMORY}, system.path()).verdict ==
        Verdict::usable);
}
