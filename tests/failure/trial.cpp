#include "failure/trial.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "anycl/base/error.hpp"
#include "failure/file_calls.hpp"
#include "support/child.hpp"
#include "support/layer.hpp"

namespace anycl::test {
namespace {

/// What the child says, in memory that both processes see.
struct Report {
  Outcome::End end = Outcome::End::died;
  char text[400] = {};
  std::uint64_t calls = 0;
  bool touched = false;
  long live = 0;
};

class SharedReport {
 public:
  SharedReport() {
    void* memory = ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    report_ = new (memory) Report;
  }
  ~SharedReport() { ::munmap(report_, sizeof(Report)); }
  SharedReport(const SharedReport&) = delete;
  SharedReport& operator=(const SharedReport&) = delete;

  Report* operator->() const noexcept { return report_; }

 private:
  Report* report_;
};

void say(Report& report, Outcome::End end, const char* text) {
  report.end = end;
  std::strncpy(report.text, text, sizeof report.text - 1);
}

Outcome::End kind_of_end(const Scenario& scenario, Report& report) {
  try {
    scenario.run();
    say(report, Outcome::End::right, "");
  } catch (const WrongResult& wrong) {
    say(report, Outcome::End::wrong, wrong.what());
  } catch (const Error& error) {
    say(report, Outcome::End::error, error.what());
  } catch (const std::exception& foreign) {
    say(report, Outcome::End::foreign, foreign.what());
  } catch (...) {
    say(report, Outcome::End::foreign, "not even a std::exception");
  }
  return report.end;
}

void set_variables(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const auto equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
}

/// What kills the child is for the parent to tell, not for Catch2's handlers, which would report a test of their own.
void die_plainly() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) ::signal(signal, SIG_DFL);
}

/// The child. Its end is part of the trial: exit handlers run.
[[noreturn]] void play(const Scenario& scenario, const Fault& fault, Report& report) {
  die_plainly();
  set_variables({"ANYCL_LOG=off", "ANYCL_TEARDOWN_LIMIT=5"});
  set_variables(under_layer(fault.layer_rules));
  if (!scenario.stub_devices.empty()) set_variables({"ANYCL_STUB=devices=" + std::string(scenario.stub_devices)});
  set_variables(fault.variables);
  count_file_calls(fault.file_call, fault.file_error);
  kind_of_end(scenario, report);

  report.calls = file_calls();
  report.touched = file_call_failed();
  if (!fault.layer_rules.empty()) {
    const LayerReport layer = layer_report();
    report.calls = layer.calls;
    report.touched = layer.failed > 0;
    report.live = layer.live();
  }
  std::exit(0);
}

}  // namespace

std::string describe(const Outcome& outcome) {
  static constexpr const char* kEnds[] = {"right result",      "anycl::Error", "wrong result without an error",
                                          "foreign exception", "died",         "hung"};
  std::string text = kEnds[static_cast<int>(outcome.end)];
  if (!outcome.text.empty()) text += ": " + outcome.text;
  if (outcome.live != 0) text += "; " + std::to_string(outcome.live) + " OpenCL objects left";
  return text;
}

Outcome run_trial(const Scenario& scenario, const Fault& fault, std::chrono::seconds limit) {
  const SharedReport report;
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) play(scenario, fault, *report.operator->());

  const auto status = wait_for_child(child, limit);
  Outcome outcome{report->end, report->text, report->calls, report->touched, report->live};
  const std::string before = std::string(" after ") + describe(outcome);
  if (!status) {
    outcome.end = Outcome::End::hung;
    outcome.text = "no end within " + std::to_string(limit.count()) + " s" + before;
  } else if (WIFSIGNALED(*status)) {
    outcome.end = Outcome::End::died;
    outcome.text = "signal " + std::to_string(WTERMSIG(*status)) + before;
  } else if (WEXITSTATUS(*status) != 0) {
    outcome.end = Outcome::End::died;
    outcome.text = "exit code " + std::to_string(WEXITSTATUS(*status)) + before;
  }
  return outcome;
}

}  // namespace anycl::test
