#include "rules_in_force.hpp"

#include <memory>
#include <mutex>

#include "driver.hpp"
#include "gates.hpp"
#include "handles.hpp"

namespace anycl::test_layer {
namespace {

std::atomic<RulesInForce*> current{nullptr};

/// Never destroyed, like what it holds: the layer is called until the process is gone.
std::deque<std::unique_ptr<RulesInForce>>& all_rules() {
  static auto& rules = *new std::deque<std::unique_ptr<RulesInForce>>;
  return rules;
}

/// Whatever runs ends: a device that is gone touches nobody's memory any more.
void end_all_work() {
  for (const cl_command_queue queue : Handles::instance().live_queues()) {
    const FinishingQueue finishing(queue);
    driver().clFinish(queue);
  }
}

}  // namespace

RulesInForce::RulesInForce(std::string_view rules_text)
    : text(rules_text), rules(parse_rules(rules_text)), calls_of_fail_(rules.fail.size()) {}

std::optional<cl_int> RulesInForce::refusal(Entry entry, std::optional<cl_uint> param) {
  const std::uint64_t call = calls_.next();
  for (const LostRule& lost : rules.lost)
    if (call > lost.after && call <= lost.until) {
      std::call_once(lost_, end_all_work);
      return lost.code;
    }
  std::optional<cl_int> code;
  for (std::size_t i = 0; i < rules.fail.size(); ++i) {
    const FailRule& fail = rules.fail[i];
    if (!fail.entries[static_cast<std::size_t>(entry)] || (fail.param && fail.param != param)) continue;
    if (fail.pick.takes(calls_of_fail_[i].next()) && !code) code = fail.code;  // all rules count all their calls
  }
  return code;
}

std::optional<std::size_t> RulesInForce::damage() {
  if (rules.corrupt.empty()) return std::nullopt;
  const std::uint64_t read = reads_.next();
  for (const CorruptRule& corrupt : rules.corrupt)
    if (corrupt.pick.takes(read)) return corrupt.byte;
  return std::nullopt;
}

bool RulesInForce::delays() { return rules.delay && rules.delay->pick.takes(commands_.next()); }

RulesInForce& rules_in_force() { return *current.load(std::memory_order_acquire); }

void put_in_force(std::string_view text) {
  auto rules = std::make_unique<RulesInForce>(text);
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  all_rules().push_back(std::move(rules));
  current.store(all_rules().back().get(), std::memory_order_release);
}

}  // namespace anycl::test_layer
