#include "anycl/device/selector.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"
#include "device/condition.hpp"
#include "device/selection_terms.hpp"

namespace anycl {

namespace {

using detail::Condition;
using detail::Naming;
using Shared = std::shared_ptr<const Condition>;
using Predicate = std::function<bool(const Device&)>;

/// What the device has instead, for the reason.
using Having = std::function<std::string(const Device&)>;

class Leaf final : public Condition {
 public:
  Leaf(std::string text, Predicate meets, Having having = {}, Naming naming = Naming::nothing)
      : text_(std::move(text)), meets_(std::move(meets)), having_(std::move(having)), naming_(naming) {}

  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const override {
    if (meets_(device)) return std::nullopt;
    return fmt::format("not {}{}", text_, having_ ? ", has " + having_(device) : "");
  }
  [[nodiscard]] Naming naming(const Device& device) const override {
    return meets_(device) ? naming_ : Naming::nothing;
  }
  [[nodiscard]] std::string text() const override { return text_; }

 private:
  std::string text_;
  Predicate meets_;
  Having having_;
  Naming naming_;
};

class Both final : public Condition {
 public:
  Both(Shared a, Shared b) : a_(std::move(a)), b_(std::move(b)) {}

  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const override {
    auto reason = a_->unmet_by(device);
    return reason ? reason : b_->unmet_by(device);
  }
  [[nodiscard]] Naming naming(const Device& device) const override {
    return std::max(a_->naming(device), b_->naming(device));
  }
  [[nodiscard]] std::string text() const override { return a_->part() + " && " + b_->part(); }

 private:
  Shared a_, b_;
};

class Either final : public Condition {
 public:
  Either(Shared a, Shared b) : a_(std::move(a)), b_(std::move(b)) {}

  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const override {
    const auto first = a_->unmet_by(device);
    if (!first) return std::nullopt;
    const auto second = b_->unmet_by(device);
    if (!second) return std::nullopt;
    return *first + " and " + *second;
  }
  [[nodiscard]] Naming naming(const Device& device) const override {
    const auto of = [&](const Condition& part) {
      return part.unmet_by(device) ? Naming::nothing : part.naming(device);
    };
    return std::max(of(*a_), of(*b_));
  }
  [[nodiscard]] std::string text() const override { return a_->part() + " || " + b_->part(); }
  [[nodiscard]] std::string part() const override { return "(" + text() + ")"; }

 private:
  Shared a_, b_;
};

class Negation final : public Condition {
 public:
  explicit Negation(Shared a) : a_(std::move(a)) {}

  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const override {
    if (a_->unmet_by(device)) return std::nullopt;
    return "not " + text();
  }
  [[nodiscard]] Naming naming(const Device&) const override { return Naming::nothing; }
  [[nodiscard]] std::string text() const override { return "!(" + a_->text() + ")"; }

 private:
  Shared a_;
};

Selector leaf(std::string text, Predicate meets, Having having = {}) {
  return Selector(std::make_shared<Leaf>(std::move(text), std::move(meets), std::move(having)));
}

Selector naming_leaf(Naming naming, std::string text, Predicate meets, Having having = {}) {
  return Selector(std::make_shared<Leaf>(std::move(text), std::move(meets), std::move(having), naming));
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

/// A condition on a number of bytes that every device tells.
Selector bytes_at_least(std::string_view name, std::uint64_t Capabilities::*fact, std::uint64_t bytes) {
  return leaf(
      fmt::format("{}({})", name, bytes_text(bytes)),
      [=](const Device& device) { return device.capabilities().*fact >= bytes; },
      [=](const Device& device) { return bytes_text(device.capabilities().*fact); });
}

template <class T>
Selector number_at_least(std::string_view name, T Capabilities::*fact, T wanted) {
  return leaf(
      fmt::format("{}({})", name, wanted), [=](const Device& device) { return device.capabilities().*fact >= wanted; },
      [=](const Device& device) { return std::to_string(device.capabilities().*fact); });
}

/// Terms of a selection by text.
class Terms final : public Condition {
 public:
  Terms(std::string_view text, std::vector<detail::Term> terms)
      : text_(fmt::format("matching({})", quote(text))), terms_(std::move(terms)) {}

  [[nodiscard]] std::optional<std::string> unmet_by(const Device& device) const override {
    const bool has_names = std::any_of(terms_.begin(), terms_.end(), [](const auto& term) { return !term.excludes; });
    if (!any_matches(device, true) && (!has_names || any_matches(device, false))) return std::nullopt;
    return "not " + text_;
  }
  /// What is merely not left out was not asked for.
  [[nodiscard]] Naming naming(const Device& device) const override {
    return !unmet_by(device) && any_matches(device, false) ? Naming::driver : Naming::nothing;
  }
  [[nodiscard]] std::string text() const override { return text_; }

 private:
  [[nodiscard]] bool any_matches(const Device& device, bool excludes) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const detail::Term& term) {
      return term.excludes == excludes && term.matches_but_index(device);
    });
  }

  std::string text_;
  std::vector<detail::Term> terms_;
};

}  // namespace

Selector::Selector(std::shared_ptr<const detail::Condition> condition) noexcept : condition_(std::move(condition)) {}

Selector::Selector(const DeviceFeature& feature)
    : Selector(std::make_shared<Leaf>(std::string(feature.name), [has = feature.has](const Device& device) {
        return has(device.capabilities());
      })) {}

Selector::Selector(std::string name, std::function<bool(const Device&)> meets) {
  if (name.empty()) throw InvalidArgument("selector: a condition needs a name, which stands in reasons");
  if (!meets) throw InvalidArgument(fmt::format("selector: condition {} has no function", quote(name)));
  condition_ = std::make_shared<Leaf>(std::move(name), std::move(meets));
}

std::optional<std::string> Selector::unmet_by(const Device& device) const { return condition_->unmet_by(device); }
std::string Selector::to_string() const { return condition_->text(); }

Selector operator&&(const Selector& a, const Selector& b) {
  return Selector(std::make_shared<Both>(a.condition(), b.condition()));
}
Selector operator||(const Selector& a, const Selector& b) {
  return Selector(std::make_shared<Either>(a.condition(), b.condition()));
}
Selector operator!(const Selector& a) { return Selector(std::make_shared<Negation>(a.condition())); }

namespace selectors {

Selector kind(Kinds kinds) {
  constexpr std::array kWords{"gpu", "discrete", "integrated", "cpu", "accelerator", "emulator"};
  const auto place = static_cast<std::size_t>(kinds);
  if (place >= kWords.size()) throw InvalidArgument(fmt::format("selector: there is no kind number {}", place));
  const detail::KindWord* word = detail::find_kind(kWords[place]);
  return naming_leaf(
      Naming::kind, fmt::format("kind({})", word->word),
      [word](const Device& device) { return word->accepts(device.kind()); },
      [](const Device& device) { return "kind " + std::string(anycl::to_string(device.kind())); });
}

Selector platform(std::string_view alias_or_name) {
  return naming_leaf(
      Naming::driver, fmt::format("platform({})", quote(alias_or_name)),
      [glob = std::string(alias_or_name)](const Device& device) { return detail::is_platform(glob, device); },
      [](const Device& device) { return "platform " + device.platform_alias(); });
}

Selector name(std::string_view glob) {
  return naming_leaf(
      Naming::driver, fmt::format("name({})", quote(glob)),
      [glob = std::string(glob)](const Device& device) { return detail::glob_matches(glob, device.name()); });
}

Selector matching(std::string_view terms) {
  auto parsed = detail::parse_terms(terms, "selector");
  for (const detail::Term& term : parsed)
    if (term.index) detail::refuse_term("selector", term.text, "has an index, which counts only in a list of devices");
  return Selector(std::make_shared<Terms>(terms, std::move(parsed)));
}

Selector extension(std::string_view name) {
  return leaf(fmt::format("extension({})", quote(name)),
              [name = std::string(name)](const Device& device) { return device.capabilities().has_extension(name); });
}

Selector opencl_at_least(std::uint32_t major, std::uint32_t minor) {
  const Version wanted{major, minor};
  return leaf(
      fmt::format("opencl_at_least({}, {})", major, minor),
      [wanted](const Device& device) {
        return device.capabilities().opencl.value_or(Version{1, 0}) >= wanted;
      },
      [](const Device& device) { return device.capabilities().opencl_version; });
}

Selector memory_at_least(std::uint64_t bytes) {
  return bytes_at_least("memory_at_least", &Capabilities::global_memory_bytes, bytes);
}

Selector allocation_at_least(std::uint64_t bytes) {
  return bytes_at_least("allocation_at_least", &Capabilities::max_allocation_bytes, bytes);
}

Selector local_memory_at_least(std::uint64_t bytes) {
  return bytes_at_least("local_memory_at_least", &Capabilities::local_memory_bytes, bytes);
}

Selector group_size_at_least(std::size_t work_items) {
  return number_at_least("group_size_at_least", &Capabilities::max_group_size, work_items);
}

Selector compute_units_at_least(std::uint32_t units) {
  return number_at_least("compute_units_at_least", &Capabilities::compute_units, units);
}

}  // namespace selectors
}  // namespace anycl
