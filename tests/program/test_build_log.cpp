// Needs: no driver
#include "program/build_log.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/random.hpp"

using anycl::BuildMessage;
using anycl::detail::kMostBuildMessages;
using anycl::detail::read_build_log;
using anycl::detail::telling_line;
using Severity = BuildMessage::Severity;

namespace {

struct Case {
  const char* log;
  Severity severity;
  const char* file;
  std::size_t line;
  std::size_t column;
  const char* text;
};

constexpr auto kError = Severity::error;
constexpr auto kWarning = Severity::warning;
constexpr auto kNote = Severity::note;

BuildMessage error_at(std::size_t line, const std::string& text) { return {kError, "a.cl", line, 1, text, ""}; }

}  // namespace

TEST_CASE("a message with a place is read in every driver's wording", "[program][build_log]") {
  const auto c = GENERATE(values<Case>({
      {"a.cl:4:12: error: use of undeclared identifier 'x'\n", kError, "a.cl", 4, 12,
       "use of undeclared identifier 'x'"},
      {"a.cl:4: error: bad\n", kError, "a.cl", 4, 0, "bad"},
      {"a.cl:4:12: warning: odd [-Wodd]\r\n", kWarning, "a.cl", 4, 12, "odd [-Wodd]"},
      {"a.cl:4:12: note: 'f' declared here", kNote, "a.cl", 4, 12, "'f' declared here"},
      {"a.cl:4:12: remark: vectorised", kNote, "a.cl", 4, 12, "vectorised"},
      {"a.cl:3:1: fatal error: 'b.h' file not found", kError, "a.cl", 3, 1, "'b.h' file not found"},
      {"<kernel>:4:12: error: bad", kError, "<kernel>", 4, 12, "bad"},
      {"<program source>:4:12: error: bad", kError, "<program source>", 4, 12, "bad"},
      {"/tmp/comgr-1a2b/input/CompileSource:4:12: error: bad", kError, "/tmp/comgr-1a2b/input/CompileSource", 4, 12,
       "bad"},
      {"error: /tmp/x/a.cl:4:12: bad thing\n", kError, "/tmp/x/a.cl", 4, 12, "bad thing"},
      {"warning: a.cl:4:12: odd thing: very\n", kWarning, "a.cl", 4, 12, "odd thing: very"},
      {"\"/tmp/OCL12.cl\", line 4: error: identifier \"x\" is undefined", kError, "/tmp/OCL12.cl", 4, 0,
       "identifier \"x\" is undefined"},
      {"\"a.cl\", line 4: warning: variable \"x\" was declared but never", kWarning, "a.cl", 4, 0,
       "variable \"x\" was declared but never"},
      {"\"a.cl\", line 4: catastrophic error: could not open source file \"b.h\"", kError, "a.cl", 4, 0,
       "could not open source file \"b.h\""},
      {"1 error generated.\n\nerror: a.cl:9:8: bad\n", kError, "a.cl", 9, 8, "bad"},
      {"C:/folder/a.cl:4:12: error: bad", kError, "C:/folder/a.cl", 4, 12, "bad"},
      {"a b:c.cl:4:12: error: bad", kError, "a b:c.cl", 4, 12, "bad"},
      {"error: a b: c.cl:4:12: bad", kError, "a b: c.cl", 4, 12, "bad"},
      {"a.cl:4:12: error: text with error: in it", kError, "a.cl", 4, 12, "text with error: in it"},
      {"a.cl:4:12: warning: text with error: in it", kWarning, "a.cl", 4, 12, "text with error: in it"},
      {"a.cl:4:12: error: \x1b[31m\xff", kError, "a.cl", 4, 12, "?[31m?"},
  }));

  const auto messages = read_build_log(c.log);

  CAPTURE(c.log);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].severity == c.severity);
  CHECK(messages[0].file == c.file);
  CHECK(messages[0].line == c.line);
  CHECK(messages[0].column == c.column);
  CHECK(messages[0].text == c.text);
}

TEST_CASE("a function without a definition is one error in every driver's wording", "[program][build_log]") {
  const auto log =
      GENERATE(as<std::string>{},  //
               "Error(s) while linking: \nCannot find symbol _Z1gi in kernel library\n",
               "(file=input,line=0,column=0,index=0): Unresolved external reference to \"_Z1gi\".\n",
               "JIT session error: Symbols not found: [ _Z1gi ]\n", "error: undefined reference to `_Z1gi'\n",
               "ptxas fatal   : Unresolved extern function '_Z1gi'",
               "lld: error: undefined hidden symbol: _Z1gi\n>>> referenced by x.o");

  const auto messages = read_build_log(log);

  CAPTURE(log);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0] == BuildMessage{.text = "function '_Z1gi' has no definition"});
}

TEST_CASE("an error of a tool that knows no places is read", "[program][build_log]") {
  struct Said {
    const char* log;
    const char* text;
  };
  const auto c = GENERATE(values<Said>({
      {"ptxas error   : Entry function 'k' uses too much shared data", "Entry function 'k' uses too much shared data"},
      {"LLVM ERROR: Cannot select: intrinsic", "Cannot select: intrinsic"},
      {"fatal error: cannot open file 'x'", "cannot open file 'x'"},
      {"Error: internal", "internal"},
  }));

  const auto messages = read_build_log(c.log);

  REQUIRE(messages.size() == 1);
  CHECK(messages[0] == BuildMessage{.text = c.text});
}

TEST_CASE("messages come in the log's order, each once", "[program][build_log]") {
  const std::string log =
      "a.cl:1:1: warning: odd\n    1 | x\n      | ^\na.cl:2:1: error: bad\na.cl:1:1: warning: odd\n"
      "a.cl:3:1: note: here\n2 errors generated.\n";

  const auto messages = read_build_log(log);

  CHECK(messages == std::vector<BuildMessage>{
                        {kWarning, "a.cl", 1, 1, "odd", ""}, error_at(2, "bad"), {kNote, "a.cl", 3, 1, "here", ""}});
}

TEST_CASE("a log without messages has none", "[program][build_log]") {
  const auto log = GENERATE(as<std::string>{}, "", "\n\n", "error: ", "error:", "Build failed: no compiler", "error",
                            "a.cl:x:y: error: z", "a.cl:99999999999999999999999: error: z", "a.cl:0:1: error: z",
                            "\"a.cl\", line x: error: z", "\"a.cl, line 4: error: z", "terror: x");

  CAPTURE(log);
  CHECK(read_build_log(log).empty());
}

TEST_CASE("of a log without messages the first line that is no progress is shown", "[program][build_log]") {
  CHECK(telling_line("Compilation started\nCompilation done\nno room left\nmore") == "no room left");
  CHECK(telling_line("\n \n  something\r\n") == "something");
  CHECK(telling_line("1 error generated.\n") == "1 error generated.");
  CHECK(telling_line(" \n\t\n").empty());
  CHECK(telling_line("").empty());
  CHECK(telling_line("a\x1b"
                     "b") == "a?b");
}

TEST_CASE("of a log of any length a bounded number of messages is read", "[program][build_log]") {
  std::string log;
  for (std::size_t i = 1; i <= 10 * kMostBuildMessages; ++i) log += "a.cl:" + std::to_string(i) + ":1: error: bad\n";
  log += "a.cl:1:1: error: " + std::string(500'000, 'x');
  REQUIRE(log.size() > 500'000);

  const auto messages = read_build_log(log);

  REQUIRE(messages.size() == kMostBuildMessages);
  CHECK(messages.back() == error_at(kMostBuildMessages, "bad"));
}

TEST_CASE("a text of any length is cut", "[program][build_log]") {
  const auto messages = read_build_log("a.cl:1:1: error: " + std::string(500'000, 'x'));

  REQUIRE(messages.size() == 1);
  CHECK(messages[0].text == std::string(1000, 'x'));
}

TEST_CASE("any log is read to its end, whatever is in it", "[program][build_log]") {
  anycl::test::Random random(5);
  const std::string alphabet = "a.cl:0129 error: fatal\n\r\t\xff\", line";
  for (int round = 0; round < 20000; ++round) {
    std::string log = random.text(random.below(60), alphabet);
    if (round % 2 == 0) log.insert(random.below(log.size() + 1), "error: ");
    static_cast<void>(read_build_log(log));
    static_cast<void>(telling_line(log));
  }
  static_cast<void>(read_build_log(std::string(10'000'000, ':')));
}
