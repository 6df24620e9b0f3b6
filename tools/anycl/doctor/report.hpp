/// \file  All that `anycl doctor` found, and the verdict on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/finding.hpp"

namespace anycl::command {

struct DeviceReport {
  Json facts;  ///< name, driver, kind, id, pci_place, vendor_id, driver_version
  Findings findings{};
};

struct DriverReport {
  std::string name{};          ///< as --driver takes it
  std::string file{};          ///< that names it to the loader; empty: there is none
  std::string library{};       ///< as that file or the variable words it; empty: not told
  std::string variable{};      ///< that names the library in a file's place
  bool inside_loader = false;  ///< the loader is the driver
  Findings findings{};
  std::vector<DeviceReport> devices{};
};

struct DoctorReport {
  Findings machine{};
  std::vector<DriverReport> drivers{};
  Findings hardware{};  ///< cards beside the drivers that answer for them
};

struct Verdict {
  std::size_t count[4]{};  ///< by Status
  [[nodiscard]] std::size_t of(Status status) const noexcept { return count[static_cast<std::size_t>(status)]; }
  [[nodiscard]] bool healthy() const noexcept { return of(Status::fail) == 0; }
};

[[nodiscard]] Verdict verdict_on(const DoctorReport& report);

/// The document "anycl.doctor"; docs/doctor.md lists its members.
[[nodiscard]] Json to_json(const DoctorReport& report);

// The same for people, part by part, as soon as each is known. With `all`, each check of a device has its own line;
// else those with nothing to tell share one.
void print_findings(std::string_view title, const Findings& findings);
void print_driver(const DriverReport& driver, bool all);
void print_verdict(const Verdict& verdict);

}  // namespace anycl::command
