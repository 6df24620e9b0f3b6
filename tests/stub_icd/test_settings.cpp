// Needs: no driver
#include <algorithm>
#include <stdexcept>
#include <string>

#include "stub_icd/driver/device_model.hpp"
#include "stub_icd/driver/settings.hpp"
#include "support/catch.hpp"

using namespace anycl;
using Catch::Matchers::StartsWith;
using stub::parse_settings;
using stub::Settings;

TEST_CASE("no settings make one healthy device", "[stub_icd][settings]") {
  const auto text = GENERATE(as<std::string>{}, "", " ", ";", " ; ;\n");

  const Settings settings = parse_settings(text);

  CHECK(settings.devices == std::vector<std::string>{"plain"});
  CHECK(settings.load == Settings::Load::normal);
  CHECK(settings.platforms == Settings::Platforms::listed);
  CHECK(settings.build == Settings::Build::good);
  CHECK(settings.binary == Settings::Binary::accepted);
  CHECK_FALSE(settings.never_finishes);
  CHECK_FALSE(settings.link_modelled);
  CHECK(settings.kernel_ns + settings.failing_kernel + settings.memory_bytes == 0);
}

TEST_CASE("each setting is read", "[stub_icd][settings]") {
  CHECK(parse_settings("load=abort").load == Settings::Load::abort);
  CHECK(parse_settings("load=sleep:1.5").load_seconds == 1.5);
  CHECK(parse_settings("load=fail").load == Settings::Load::fail);
  CHECK(parse_settings("platforms=sleep:30").platforms_seconds == 30);
  CHECK(parse_settings("platforms=abort").platforms == Settings::Platforms::abort);
  CHECK(parse_settings("platforms=none").platforms == Settings::Platforms::none);
  CHECK(parse_settings("platforms=error:-30").platforms_error == -30);
  CHECK(parse_settings("platforms=error:7").platforms_error == 7);
  CHECK(parse_settings("platforms=null:2").null_platforms == 2);
  CHECK(parse_settings("devices=none").devices.empty());
  CHECK(parse_settings("devices=plain, intel-xeon ,plain").devices ==
        std::vector<std::string>{"plain", "intel-xeon", "plain"});
  CHECK(parse_settings("device-count=4294967295").claimed_devices == 4294967295u);
  CHECK(parse_settings("build=ok").build == Settings::Build::good);
  CHECK(parse_settings("build=never").build == Settings::Build::never);
  CHECK(parse_settings("build=crash").build == Settings::Build::crash);
  CHECK(parse_settings("build=crash-optimised").build == Settings::Build::crash_optimised);
  CHECK(parse_settings("build=devour").build == Settings::Build::devour);
  CHECK(parse_settings("build=slow:0.25").build_seconds == 0.25);
  CHECK(parse_settings("build=fail").build == Settings::Build::fail);
  CHECK(parse_settings("build=fail-first:3").failing_builds == 3);
  CHECK(parse_settings("kernel-ns=1500").kernel_ns == 1500);
  CHECK(parse_settings("finish=never").never_finishes);
  CHECK(parse_settings("exec=fail:7").failing_kernel == 7);
  CHECK(parse_settings("link=modelled").link_modelled);
  CHECK(parse_settings("binary=refuse").binary == Settings::Binary::refused);
  CHECK(parse_settings("binary=late-refuse").binary == Settings::Binary::refused_late);
  CHECK(parse_settings("platform-name=A, B").platform_name == "A, B");
  CHECK(parse_settings("chatter=loading... ").chatter == "loading...");
  CHECK(parse_settings("device-name=x=y").device_name == "x=y");
  CHECK(parse_settings("driver-version=1.2").driver_version == "1.2");
}

TEST_CASE("sizes have binary units", "[stub_icd][settings]") {
  CHECK(parse_settings("memory=512").memory_bytes == 512);
  CHECK(parse_settings("memory=3K").memory_bytes == 3072);
  CHECK(parse_settings("memory=64M").memory_bytes == std::uint64_t{64} << 20);
  CHECK(parse_settings("memory=2G").memory_bytes == std::uint64_t{2} << 30);
}

TEST_CASE("several settings are read in order, with blanks around them", "[stub_icd][settings]") {
  const Settings settings = parse_settings(" kernel-ns = 5 ;; finish=never;kernel-ns=6\n");

  CHECK(settings.kernel_ns == 6);
  CHECK(settings.never_finishes);
}

TEST_CASE("what is no setting is named in one line", "[stub_icd][settings]") {
  CHECK_THROWS_WITH(parse_settings("speed=9"), "unknown setting 'speed=9'");
  CHECK_THROWS_WITH(parse_settings("finish=never;x"), "unknown setting 'x'");
  CHECK_THROWS_WITH(parse_settings("load=slep:3"), "setting 'load=slep:3': it takes load=abort|sleep:SECONDS|fail");
  CHECK_THROWS_WITH(parse_settings("memory"), "setting 'memory': it takes memory=BYTES[K|M|G]");
  CHECK_THROWS_WITH(
      parse_settings("devices=plain,intle"),
      StartsWith("setting 'devices=plain,intle': it takes devices=none|MODEL,...; the models are plain, "));
}

TEST_CASE("values that cannot be are refused", "[stub_icd][settings]") {
  const auto text = GENERATE(as<std::string>{}, "load=sleep:-1", "load=sleep:", "load=sleep", "platforms=error:0",
                             "platforms=error:x", "build=slow:1s", "build=fail-first:-1", "kernel-ns=-5",
                             "kernel-ns=1e3", "exec=fail:0", "memory=0", "memory=M", "memory=18446744073709551615K",
                             "finish=soon", "link=fast", "binary=maybe", "devices=", "platform-name=", "=", "=x");

  CAPTURE(text);
  CHECK_THROWS_AS(parse_settings(text), std::invalid_argument);
}

TEST_CASE("models have keys and names of their own and limits that hold together", "[stub_icd][settings]") {
  for (const stub::DeviceModel& model : stub::device_models()) {
    CAPTURE(model.key);
    CHECK(stub::find_model(model.key) == &model);
    CHECK(model.max_allocation_mib <= model.global_mib);
    CHECK(model.max_allocation_mib >= std::min<std::uint64_t>(1024, model.global_mib / 4));  // as OpenCL 3.0 demands
    CHECK(model.local_kib >= 32);
    CHECK(model.max_group_size <= model.max_item_sizes[0]);
    CHECK(model.extensions.find("  ") == std::string_view::npos);
    CHECK(model.extensions.find("cl_khr_icd") != std::string_view::npos);
  }
}
