// Needs: no driver
#include "base/recent_map.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "support/catch.hpp"

using anycl::RecentMap;

TEST_CASE("the entry that was not used for longest goes first", "[base][recent_map]") {
  RecentMap<std::string, int> map;
  map.add("a", 1);
  map.add("b", 2);
  map.add("c", 3);

  REQUIRE(map.find("a") != nullptr);

  CHECK(map.take_oldest() == 2);
  CHECK(map.find("b") == nullptr);
  CHECK(map.take_oldest() == 3);
  CHECK(map.take_oldest() == 1);
  CHECK_FALSE(map.take_oldest());
}

TEST_CASE("entries that may not go stay", "[base][recent_map]") {
  RecentMap<int, std::shared_ptr<int>> map;
  const auto held = map.add(1, std::make_shared<int>(10));
  map.add(2, std::make_shared<int>(20));
  const auto unused = [](const auto& value) { return value.use_count() == 1; };

  CHECK(**map.take_oldest(unused) == 20);
  CHECK_FALSE(map.take_oldest(unused));
  CHECK(map.size() == 1);
}

TEST_CASE("a map that knows its last uses is still a map", "[base][recent_map]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  RecentMap<int, int> map;
  std::list<std::pair<int, int>> expected;  // the last used first
  const auto place_of = [&](int key) {
    return std::find_if(expected.begin(), expected.end(), [&](const auto& entry) { return entry.first == key; });
  };

  for (int step = 0; step < 5000; ++step) {
    const int key = static_cast<int>(random() % 40);
    const auto place = place_of(key);
    const bool known = place != expected.end();
    switch (random() % 4) {
      case 0:
        map.erase(key);
        if (known) expected.erase(place);
        break;
      case 1:
        if (expected.empty()) break;
        REQUIRE(map.take_oldest() == expected.back().second);
        expected.pop_back();
        break;
      default:
        const int* const found = map.find(key);
        REQUIRE((found != nullptr) == known);
        if (known) {
          REQUIRE(*found == place->second);
          expected.splice(expected.begin(), expected, place);
        } else {
          map.add(key, step);
          expected.emplace_front(key, step);
        }
    }
    REQUIRE(map.size() == expected.size());
  }
  CHECK(std::equal(map.begin(), map.end(), expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
}
