/// \file  A map that knows which of its entries were used last. Layer 0 (base).
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace anycl {

/// For caches with a bound: who adds one too many takes another out. One thread at a time.
template <class Key, class Value, class Hash = std::hash<Key>>
class RecentMap {
 public:
  /// Null when it is not there; else that is a use. Valid until it is erased or taken.
  [[nodiscard]] Value* find(const Key& key) {
    const auto place = places_.find(&key);
    if (place == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return &place->second->second;
  }

  /// Adds what is not there yet.
  Value& add(Key key, Value value) {
    entries_.emplace_front(std::move(key), std::move(value));
    places_.emplace(&entries_.front().first, entries_.begin());
    return entries_.front().second;
  }

  void erase(const Key& key) {
    const auto place = places_.find(&key);
    if (place == places_.end()) return;
    const auto entry = place->second;
    places_.erase(place);
    entries_.erase(entry);
  }

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  /// Pairs of key and value, those used last first. Going through them is no use of them.
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  /// Takes out the entry that was not used for longest, of those that `may_go(value)`.
  template <class Predicate>
  [[nodiscard]] std::optional<Value> take_oldest(Predicate may_go) {
    for (auto entry = entries_.end(); entry != entries_.begin();) {
      if (!may_go(std::as_const((--entry)->second))) continue;
      std::optional<Value> taken(std::move(entry->second));
      places_.erase(&entry->first);
      entries_.erase(entry);
      return taken;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Value> take_oldest() {
    return take_oldest([](const Value&) { return true; });
  }

 private:
  using Entries = std::list<std::pair<const Key, Value>>;  // those used last first

  /// Keys are compared where they lie in the list, so that each is stored once.
  struct HashOfPlace {
    std::size_t operator()(const Key* key) const { return Hash()(*key); }
  };
  struct EqualPlaces {
    bool operator()(const Key* a, const Key* b) const { return *a == *b; }
  };

  Entries entries_;
  std::unordered_map<const Key*, typename Entries::iterator, HashOfPlace, EqualPlaces> places_;
};

}  // namespace anycl
