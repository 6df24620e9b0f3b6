/// \file  What came of trying drivers, kept over runs. Layer 1 (device).
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/cache_place.hpp"
#include "device/driver_files.hpp"
#include "device/driver_trial.hpp"

namespace anycl::detail {

/// One file for each driver in the cache folder; its name stands for all that decides: the driver file, the loader, this
/// library's version, and the variables that steer drivers or what is loaded with them. A file that is not ours alone, or is
/// damaged, is no memory. Of more than a few dozen files the longest unused go.
class ProbeMemory {
 public:
  /// `loader` is the file of the loader in use, `limit` what a driver may take to answer.
  ProbeMemory(const std::string& loader, std::chrono::seconds limit);

  /// The same for looking only: no folder is made for it.
  [[nodiscard]] static ProbeMemory to_look_at(const std::string& loader, std::chrono::seconds limit);

  /// Nothing for a driver that was never tried as it is now. That one is no good is believed for an hour, or a
  /// minute where it does no harm, and only while the
  /// time limit, the limits of the process and the run of the system are those it had: the cause may have been one of these, a
  /// missing library, or a machine too busy to answer in time.
  [[nodiscard]] std::optional<DriverTrial> recall(const DriverFile& driver) const;

  /// The same, and whoever removes what is unused does not learn of it.
  [[nodiscard]] std::optional<DriverTrial> look_up(const DriverFile& driver) const {
    return read(driver, entry_name(driver));
  }

  void keep(const DriverFile& driver, const DriverTrial& trial) const;

  /// Where it lies; empty when it may not write.
  [[nodiscard]] std::string folder() const { return cache_.writable() ? cache_.settings.folder : std::string(); }

 private:
  ProbeMemory(CachePlace cache, std::string loader, std::chrono::seconds limit);

  [[nodiscard]] std::string entry_name(const DriverFile& driver) const;
  [[nodiscard]] std::optional<DriverTrial> read(const DriverFile& driver, const std::string& name) const;
  [[nodiscard]] std::string circumstances() const;
  void forget_oldest() const;

  CachePlace cache_;
  std::string loader_;
  std::chrono::seconds limit_;
};

}  // namespace anycl::detail
