// The grammar of ANYCL_TEST_LAYER.
// Needs: no driver
#include <string>
#include <vector>

#include "rules.hpp"
#include "support/catch.hpp"

using namespace anycl::test_layer;

namespace {

std::string problem_of(const std::string& text) {
  try {
    static_cast<void>(parse_rules(text));
  } catch (const RuleError& error) {
    return error.what();
  }
  return "none";
}

bool names(const EntrySet& entries, Entry entry) { return entries[static_cast<std::size_t>(entry)]; }

}  // namespace

TEST_CASE("no text and blank rules are no rules", "[layer][rules]") {
  const std::string text = GENERATE("", "  ", ";", " ; ;\n");

  const Rules rules = parse_rules(text);

  CHECK(rules.fail.empty());
  CHECK(rules.lost.empty());
  CHECK(rules.answer.empty());
  CHECK_FALSE(rules.handles);
  CHECK_FALSE(rules.late);
}

TEST_CASE("fail takes names with globs, and its code", "[layer][rules]") {
  const Rules rules = parse_rules("fail clFlush code=-5; fail clEnqueue*Buffer code=-9999;fail * code=-1");

  REQUIRE(rules.fail.size() == 3);
  CHECK(rules.fail[0].entries.count() == 1);
  CHECK(names(rules.fail[0].entries, Entry::clFlush));
  CHECK(rules.fail[0].code == -5);
  CHECK(names(rules.fail[1].entries, Entry::clEnqueueReadBuffer));
  CHECK_FALSE(names(rules.fail[1].entries, Entry::clEnqueueReadBufferRect));
  CHECK(rules.fail[1].code == -9999);
  CHECK(rules.fail[2].entries.all());
}

TEST_CASE("fail can be about one query", "[layer][rules]") {
  const Rules rules = parse_rules("fail clGetDeviceInfo:CL_DEVICE_NAME code=-30");

  CHECK(rules.fail.at(0).param == cl_uint{CL_DEVICE_NAME});
}

TEST_CASE("a rule picks calls by number", "[layer][rules]") {
  struct Case {
    const char* pick;
    std::vector<int> calls;  // of 1 to 12
  };
  const auto wanted = GENERATE(values<Case>({{"", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                                             {"at=3", {3}},
                                             {"at=3 count=2", {3, 4}},
                                             {"at=10 count=all", {10, 11, 12}},
                                             {"count=2", {1, 2}},
                                             {"every=5", {5, 10}},
                                             {"every=5 count=9", {5}},
                                             {"chance=0", {}},
                                             {"chance=1", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}));
  CAPTURE(wanted.pick);

  const Rules rules = parse_rules(std::string("fail clFlush code=-5 ") + wanted.pick);

  std::vector<int> taken;
  for (int call = 1; call <= 12; ++call)
    if (rules.fail.at(0).pick.takes(static_cast<std::uint64_t>(call))) taken.push_back(call);
  CHECK(taken == wanted.calls);
}

TEST_CASE("a seed decides which calls a chance takes", "[layer][rules]") {
  const auto taken = [](const std::string& seed) {
    const Rules rules = parse_rules("fail clFlush code=-5 chance=0.25 seed=" + seed);
    std::string picture;
    for (std::uint64_t call = 1; call <= 1000; ++call) picture += rules.fail.at(0).pick.takes(call) ? 'x' : '.';
    return picture;
  };
  const auto count = [](const std::string& picture) { return std::count(picture.begin(), picture.end(), 'x'); };

  CHECK(taken("7") == taken("7"));
  CHECK(taken("7") != taken("8"));
  // 250 expected, standard deviation 13.7; the seeds are fixed, so this is no game of chance.
  CHECK(count(taken("7")) > 200);
  CHECK(count(taken("7")) < 300);
}

TEST_CASE("answer takes values of the query's type", "[layer][rules]") {
  const Rules rules = parse_rules(
      "answer CL_DEVICE_NAME text=a%20b%3B; answer CL_DEVICE_NAME long=5 device=p*; answer CL_DEVICE_TYPE number=4;"
      "answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=1,2,3; answer CL_EVENT_COMMAND_EXECUTION_STATUS number=-5");

  REQUIRE(rules.answer.size() == 5);
  CHECK(rules.answer[0].text == "a b;");
  CHECK(rules.answer[1].text == "xxxxx");
  CHECK(rules.answer[1].device == "p*");
  CHECK(rules.answer[2].numbers == std::vector<std::uint64_t>{4});
  CHECK(rules.answer[3].numbers == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(static_cast<cl_int>(rules.answer[4].numbers.at(0)) == -5);
}

TEST_CASE("an absent feature is several answers", "[layer][rules]") {
  const std::string feature = GENERATE("fp64", "fp16", "pci", "uuid");

  const Rules rules = parse_rules("answer " + feature + "=absent device=x");

  CHECK(rules.answer.size() > 2);
  for (const AnswerRule& answer : rules.answer) CHECK(answer.device == "x");
}

TEST_CASE("the other verbs", "[layer][rules]") {
  const Rules rules = parse_rules(
      "lost after=100 until=150 code=-36; answer formats list=R,RGBA; split devices=2; hold until=flush; "
      "delay ms=20 chance=0.5 seed=3; reorder seed=9; corrupt clEnqueueReadBuffer at=2 byte=7; clock tick; "
      "handles allow=contexts,events; late");

  CHECK(rules.lost.at(0).after == 100);
  CHECK(rules.lost.at(0).until == 150);
  CHECK(rules.lost.at(0).code == -36);
  CHECK(rules.formats == std::vector<cl_channel_order>{CL_R, CL_RGBA});
  CHECK(rules.split == 2);
  CHECK(rules.hold);
  CHECK(rules.delay.value().ms == 20);
  CHECK(rules.delay.value().pick.seed == 3);
  CHECK(rules.reorder == std::uint64_t{9});
  CHECK(rules.corrupt.at(0).byte == 7);
  CHECK(rules.clock == Clock::tick);
  CHECK(rules.handles);
  CHECK(rules.handles_may_remain.count() == 2);
  CHECK(rules.late);
}

TEST_CASE("a wrong rule is refused with its number, text, column and reason", "[layer][rules]") {
  CHECK(problem_of("late; fail clFlsh code=-5") ==
        "rule 2 'fail clFlsh code=-5', column 12: 'clFlsh' matches no OpenCL function that the layer wraps");

  struct Case {
    const char* text;
    const char* part;
  };
  const auto wrong = GENERATE(values<Case>({
      {"fial clFlush code=-5", "column 1: 'fial' is no verb"},
      {"fail", "'fail' needs the name of an OpenCL function"},
      {"fail clFlush", "'fail' needs code=NUMBER"},
      {"fail clFlush code=x", "column 19: 'x' is not a number"},
      {"fail clFlush code=99999999999", "is not a number that fits"},
      {"fail clFlush code=-5 at=0", "'0' is 0"},
      {"fail clFlush code=-5 at=1 every=2", "one of at=, every=, chance="},
      {"fail clFlush code=-5 chance=2", "not between 0 and 1"},
      {"fail clFlush code=-5 colour=red", "column 22: 'colour=red' is nothing that 'fail' knows"},
      {"fail clFlush code=-5 now", "'now' should be KEY=VALUE"},
      {"fail clGetDeviceInfo:CL_NAME code=-5", "column 22: 'CL_NAME' is no query"},
      {"fail clFlush:CL_DEVICE_NAME code=-5", "'CL_DEVICE_NAME' is asked with clGetDeviceInfo"},
      {"lost after=3", "'lost' needs code="},
      {"answer", "'answer' needs the name of a query"},
      {"answer CL_DEVICE_NAME", "takes one of text="},
      {"answer CL_DEVICE_NAME text=a long=3", "takes one of text="},
      {"answer CL_DEVICE_NAME number=3", "CL_DEVICE_NAME has another type"},
      {"answer CL_DEVICE_NAME text=a%2", "two hexadecimal digits"},
      {"answer CL_DEVICE_UUID_KHR text=a", "has another type"},
      {"answer CL_PLATFORM_NAME text=a device=x", "is not asked of a device"},
      {"answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=1,x", "'x' is not a number"},
      {"answer fp64=gone", "should be 'absent'"},
      {"answer formats list=PURPLE", "channel order"},
      {"answer formats", "needs list="},
      {"split devices=1", "needs devices=2"},
      {"hold", "needs until=flush"},
      {"delay", "needs ms="},
      {"reorder", "needs seed="},
      {"corrupt clEnqueueMapBuffer", "cannot be corrupted"},
      {"clock backwards", "is no clock"},
      {"handles allow=pencils", "names no type of handle"},
      {"late always", "'always' should be KEY=VALUE"},
  }));
  CAPTURE(wrong.text);

  const std::string problem = problem_of(wrong.text);

  CAPTURE(problem);
  CHECK(problem.find(wrong.part) != std::string::npos);
}

TEST_CASE("globs match whole names", "[layer][rules]") {
  CHECK(matches("*", ""));
  CHECK(matches("cl*Buffer", "clEnqueueReadBuffer"));
  CHECK_FALSE(matches("cl*Buffer", "clEnqueueReadBufferRect"));
  CHECK(matches("cl?lush", "clFlush"));
  CHECK_FALSE(matches("clFlus", "clFlush"));
  CHECK_FALSE(matches("", "clFlush"));
}
