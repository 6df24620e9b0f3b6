// Choosing devices by text. Input: the selection.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/device/selection.hpp"
#include "device/fake_machine.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

namespace {

using test::plain_device;

/// A machine with something of everything, two of a kind, and names with the grammar's own marks in them.
const Discovery& machine() {
  static test::FakeMachine made_up({
      {.name = "NVIDIA CUDA", .devices = {plain_device("GeForce 3060"), plain_device("GeForce 3060")}},
      {.name = "Intel(R) OpenCL", .devices = {plain_device("Core i7, 8 cores: fast", CL_DEVICE_TYPE_CPU)}},
      {.name = "Portable Computing Language", .devices = {plain_device("pthread-!7*?", CL_DEVICE_TYPE_CPU)}},
      {.name = "Somebody Else", .devices = {plain_device("Cruncher", CL_DEVICE_TYPE_ACCELERATOR)}},
      {.name = "Oclgrind", .devices = {plain_device("Oclgrind Simulator", CL_DEVICE_TYPE_CPU)}},
      {.name = "no devices", .devices = {}},
  });
  static const Discovery found = discover();
  return found;
}

template <class List>
std::size_t count_in(const List& list, const Device& device) {
  return static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [&](const auto& entry) { return entry.device == device; }));
}

std::vector<std::string> ids_of(const std::vector<ChosenDevice>& chosen) {
  std::vector<std::string> ids;
  for (const auto& entry : chosen) ids.push_back(entry.device.id());
  return ids;
}

std::vector<std::string> chosen_ids(const std::string& selection) {
  return ids_of(rank_devices(machine(), selection).chosen);
}

/// The terms of a selection, those that leave out before or after the others.
std::string rearranged(std::string_view selection, bool excluding_first) {
  std::string excluding, naming;
  while (!selection.empty()) {
    const std::string_view term = fuzz::take_field(selection, ",");
    const bool excludes = term.substr(std::min(term.find_first_not_of(" \t"), term.size())).starts_with('!');
    std::string& list = excludes ? excluding : naming;
    list.append(list.empty() ? "" : ",").append(term);
  }
  if (excluding.empty() || naming.empty()) return excluding + naming;
  return excluding_first ? excluding + "," + naming : naming + "," + excluding;
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return capitals;
}

void check_ranking(const DeviceRanking& ranking, std::string_view selection) {
  for (const Device& device : machine().devices())
    require(count_in(ranking.chosen, device) + count_in(ranking.left_out, device) == 1,
            "each device is chosen or left out, once");
  for (const auto& [device, reason] : ranking.chosen) fuzz::require_short_line(reason);
  for (const auto& [device, reason] : ranking.left_out) fuzz::require_short_line(reason);

  const auto ids = ids_of(ranking.chosen);
  require(chosen_ids(in_capitals(selection)) == ids, "capitals play no part");
  require(chosen_ids(rearranged(selection, true)) == ids, "it does not matter where the terms that leave out stand");
  require(chosen_ids(rearranged(selection, false)) == ids, "it does not matter where the terms that leave out stand");
  if (!selection.empty())
    require(chosen_ids(std::string(selection) + " ,\t" + std::string(selection)) == ids,
            "saying it twice changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ::unsetenv("ANYCL_DEVICES");
  const std::string_view selection = fuzz::text_of(data, size);
  try {
    check_ranking(rank_devices(machine(), selection), selection);
    require(!choose_devices(machine(), selection).empty(), "no device at all is an error");
  } catch (const InvalidArgument& error) {
    fuzz::require_short_line(error.what());
  } catch (const NoDevice& error) {
    require(rank_devices(machine(), selection).chosen.empty(), "no device is left when an error says so");
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "an error text is one line");
  }
  return 0;
}
