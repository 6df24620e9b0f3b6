// One driver that the loader lists twice.
// Needs: no driver
#include <string>
#include <vector>

#include <CL/cl_ext.h>

#include "anycl/device/device.hpp"
#include "device/fake_machine.hpp"
#include "support/catch.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using test::FakeDevice;
using test::FakeMachine;
using test::plain_device;

namespace {

FakeDevice card_at(cl_uint bus, const std::string& name = "card") {
  return plain_device(name)
      .text(CL_DEVICE_EXTENSIONS, "cl_khr_pci_bus_info")
      .value(CL_DEVICE_PCI_BUS_INFO_KHR, cl_device_pci_bus_info_khr{0, bus, 0, 0});
}

std::size_t platforms_of(const std::vector<test::FakePlatform>& platforms) {
  const FakeMachine machine(platforms);
  return discover().platforms.size();
}

}  // namespace

TEST_CASE("a driver that is listed twice is one, with a warning", "[device][doubles]") {
  const FakeMachine machine({{"Maker", {card_at(1), card_at(2)}}, {"Maker", {card_at(1), card_at(2)}}});

  const Discovery discovery = discover();

  REQUIRE(discovery.platforms.size() == 1);
  CHECK(discovery.devices().size() == 2);
  REQUIRE(discovery.warnings.size() == 1);
  CHECK_THAT(discovery.warnings.front(), Contains("platform 'Maker' is there twice"));
}

TEST_CASE("the host's processor under one driver listed twice is one", "[device][doubles]") {
  const FakeDevice cpu = plain_device("cpu", CL_DEVICE_TYPE_CPU);

  CHECK(platforms_of({{"Maker", {cpu}}, {"Maker", {cpu}}}) == 1);
  CHECK(platforms_of({{"Maker", {cpu}}, {"Other", {cpu}}}) == 2);
}

TEST_CASE("platforms that may be two are left two", "[device][doubles]") {
  CHECK(platforms_of({{"Maker", {card_at(1)}}, {"Maker", {card_at(2)}}}) == 2);
  CHECK(platforms_of({{"Maker", {card_at(1)}}, {"Maker", {card_at(1), card_at(2)}}}) == 2);
  CHECK(platforms_of({{"Maker", {plain_device("card")}}, {"Maker", {plain_device("card")}}}) == 2);
  CHECK(platforms_of({{"Maker", {}}, {"Maker", {}}}) == 2);
  CHECK(platforms_of({{"Maker", {card_at(1)}}, {"Maker", {card_at(1, "another name")}}}) == 2);
}
