#include "doctor/report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "printable.hpp"

namespace anycl::command {
namespace {

void count(const Findings& findings, Verdict& verdict) {
  for (const Finding& finding : findings) ++verdict.count[static_cast<std::size_t>(finding.status)];
}

Json to_json(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back(to_json(finding));
  return list;
}

Json to_json(const DriverReport& driver) {
  Json json{{"name", driver.name},
            {"file", driver.file.empty() ? Json(nullptr) : Json(driver.file)},
            {"library", driver.library},
            {"checks", to_json(driver.findings)},
            {"devices", Json::array()}};
  for (const DeviceReport& device : driver.devices) {
    json["devices"].push_back(device.facts);
    json["devices"].back()["checks"] = to_json(device.findings);
  }
  return json;
}

/// A failure is what the eye must find.
std::string_view word_for(Status status) { return status == Status::fail ? "FAIL" : to_string(status); }

void print_line(Status status, std::string_view check, std::string_view text) {
  fmt::print("  {:<4}  {:<14}  {}\n", word_for(status), check, printable(text));
}

void print_finding(const Finding& finding) {
  print_line(finding.status, finding.check,
             finding.advice.empty() ? finding.text : fmt::format("{}; {}", finding.text, finding.advice));
}

/// "double, half: the device has none": checks that say the same share a line.
void print_together(Status status, const Findings& findings) {
  std::vector<std::pair<std::string, std::string>> lines;  // what they say, and their names
  for (const Finding& finding : findings) {
    if (finding.status != status) continue;
    const std::string text = status == Status::ok ? "" : ": " + finding.text;
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == text; });
    if (same == lines.end())
      lines.emplace_back(text, finding.check);
    else
      same->second += ", " + finding.check;
  }
  for (const auto& [text, names] : lines) print_line(status, "checks", names + text);
}

void print_device_briefly(const Findings& findings) {
  for (const Finding& finding : findings)
    if (finding.status == Status::fail || finding.status == Status::warn) print_finding(finding);
  print_together(Status::ok, findings);
  print_together(Status::skip, findings);
}

void print_device(const DeviceReport& device, bool all) {
  fmt::print("\n{} '{}' ({})\n", printable(device.facts.value("driver", "")), printable(device.facts.value("name", "")),
             device.facts.value("kind", ""));
  if (!all) return print_device_briefly(device.findings);
  for (const Finding& finding : device.findings) print_finding(finding);
}

std::string_view place_of(const DriverReport& driver) {
  if (driver.inside_loader) return "inside the loader";
  return driver.file.empty() ? std::string_view("of OCL_ICD_FILENAMES") : driver.file;
}

std::string counted(std::size_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

}  // namespace

Verdict verdict_on(const DoctorReport& report) {
  Verdict verdict;
  count(report.machine, verdict);
  count(report.hardware, verdict);
  for (const DriverReport& driver : report.drivers) {
    count(driver.findings, verdict);
    for (const DeviceReport& device : driver.devices) count(device.findings, verdict);
  }
  return verdict;
}

Json to_json(const DoctorReport& report) {
  const Verdict verdict = verdict_on(report);
  Json document = make_document("anycl.doctor");
  document["healthy"] = verdict.healthy();
  document["counts"] = Json::object();
  for (const Status status : {Status::ok, Status::warn, Status::fail, Status::skip})
    document["counts"][std::string(to_string(status))] = verdict.of(status);
  document["machine"] = to_json(report.machine);
  document["drivers"] = Json::array();
  for (const DriverReport& driver : report.drivers) document["drivers"].push_back(to_json(driver));
  document["hardware"] = to_json(report.hardware);
  return document;
}

void print_findings(std::string_view title, const Findings& findings) {
  fmt::print("{}\n", printable(title));
  for (const Finding& finding : findings) print_finding(finding);
}

void print_driver(const DriverReport& driver, bool all) {
  fmt::print("\n");
  print_findings(fmt::format("driver {}, {}", driver.name, place_of(driver)), driver.findings);
  for (const DeviceReport& device : driver.devices) print_device(device, all);
}

void print_verdict(const Verdict& verdict) {
  const std::string passed =
      fmt::format("{} ok, {}, {} skipped", verdict.of(Status::ok),
                  counted(verdict.of(Status::warn), "warning", "warnings"), verdict.of(Status::skip));
  if (verdict.healthy())
    fmt::print("\nhealthy: {}\n", passed);
  else
    fmt::print("\nnot healthy: {} failed, {}\n", counted(verdict.of(Status::fail), "check", "checks"), passed);
}

}  // namespace anycl::command
