// Needs: no driver
#include "program/build_log.hpp"

#include <string>

#include "support/catch.hpp"
#include "support/random.hpp"

using anycl::detail::first_error;

namespace {

struct Case {
  const char* log;
  const char* file;
  std::size_t line;
  std::size_t column;
  const char* text;
};

}  // namespace

TEST_CASE("the first error is found in every driver's wording", "[program][build_log]") {
  const auto c = GENERATE(values<Case>({
      {"a.cl:4:12: error: use of undeclared identifier 'x'\n", "a.cl", 4, 12, "use of undeclared identifier 'x'"},
      {"a.cl:4: error: bad\n", "a.cl", 4, 0, "bad"},
      {"error: /tmp/x/a.cl:4:12: bad thing\n", "/tmp/x/a.cl", 4, 12, "bad thing"},
      {"a.cl:3:1: fatal error: 'b.h' file not found", "a.cl", 3, 1, "'b.h' file not found"},
      {"a.cl:1:1: warning: odd\nnote\na.cl:2:2: error: bad\na.cl:3:3: error: worse", "a.cl", 2, 2, "bad"},
      {"1 error generated.\n\nerror: a.cl:9:8: bad\n", "a.cl", 9, 8, "bad"},
      {"C:/folder/a.cl:4:12: error: bad", "C:/folder/a.cl", 4, 12, "bad"},
      {"a b:c.cl:4:12: error: bad", "a b:c.cl", 4, 12, "bad"},
      {"a.cl:4:12: error: text with error: in it", "a.cl", 4, 12, "text with error: in it"},
  }));

  const auto message = first_error(c.log);

  CAPTURE(c.log);
  REQUIRE(message.has_value());
  CHECK(message->file == c.file);
  CHECK(message->line == c.line);
  CHECK(message->column == c.column);
  CHECK(message->text == c.text);
}

TEST_CASE("a log without a place has no first error", "[program][build_log]") {
  const auto log = GENERATE(as<std::string>{}, "", "\n\n", "error: ", "error: something", "Build failed: no compiler",
                            "a.cl:x:y: error: z", "a.cl:99999999999999999999999: error: z", "warning: a.cl:1:2: odd");

  CHECK_FALSE(first_error(log).has_value());
}

TEST_CASE("any log is read to its end, whatever is in it", "[program][build_log]") {
  anycl::test::Random random(5);
  const std::string alphabet = "a.cl:0129 error: fatal\n\r\t\xff";
  for (int round = 0; round < 20000; ++round) {
    std::string log = random.text(random.below(60), alphabet);
    if (round % 2 == 0) log.insert(random.below(log.size() + 1), "error: ");
    static_cast<void>(first_error(log));
  }
  static_cast<void>(first_error(std::string(10'000'000, ':')));
}
