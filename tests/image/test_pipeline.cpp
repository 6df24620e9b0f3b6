// Needs: no driver
#include "anycl/image/pipeline.hpp"

#include <clocale>
#include <string>

#include "anycl/base/error.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

using namespace anycl;
using image::Pipeline;
using image::to_string;

namespace {

std::string error_of(const std::string& text) {
  try {
    (void)Pipeline::parse(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "parsed";
}

}  // namespace

TEST_CASE("a pipeline holds the steps as written", "[image][pipeline]") {
  const Pipeline pipeline = Pipeline::parse("gaussian(1.4) | median(3) | sobel | equalize");

  REQUIRE(pipeline.steps().size() == 4);
  CHECK(pipeline.steps()[0].filter->kind == image::FilterKind::gaussian);
  CHECK(pipeline.steps()[0].arguments == std::vector<double>{1.4});
  CHECK(pipeline.steps()[1].arguments == std::vector<double>{3});
  CHECK(pipeline.steps()[3].arguments.empty());
}

TEST_CASE("any spelling of one pipeline has one normal form", "[image][pipeline]") {
  const std::string text = GENERATE(
      "gaussian(1.5)|median(3)|sobel", "  gaussian ( 1.5 )|median| sobel()  ", "gaussian(15e-1)|median()|sobel",
      "\tgaussian(\n1.50\r\n) | median( 3.0 ) |\nsobel ( )", "gaussian(+1.5) | median(3) | sobel");
  CAPTURE(text);

  const Pipeline pipeline = Pipeline::parse(text);

  CHECK(to_string(pipeline) == "gaussian(1.5) | median(3) | sobel");
  CHECK(to_string(Pipeline::parse(to_string(pipeline))) == to_string(pipeline));
}

TEST_CASE("numbers survive the normal form bit by bit", "[image][pipeline]") {
  const std::string text =
      GENERATE("gaussian(0.1)", "gaussian(0.3333333333333333)", "gaussian(99.99999999999999)", "gaussian(0.01)");

  CHECK(to_string(Pipeline::parse(text)) == text);
}

TEST_CASE("numbers use a point in every locale", "[image][pipeline]") {
  // Without such a locale installed nothing changes and the test still holds.
  const char* locale = std::setlocale(LC_ALL, "de_DE.UTF-8");
  CAPTURE(locale != nullptr);

  CHECK(to_string(Pipeline::parse("gaussian(1.5)")) == "gaussian(1.5)");
  CHECK(error_of("gaussian(1,5)") == "pipeline: too many numbers for 'gaussian' at column 12; usage: gaussian(sigma)");

  std::setlocale(LC_ALL, "C");
}

TEST_CASE("an error says where and what is allowed, on one line", "[image][pipeline]") {
  const std::string known = "known: gaussian(sigma), median(k = 3), sobel, equalize";
  const auto [text, message] = GENERATE_COPY(table<std::string, std::string>({
      {"", "expected a filter but found nothing at column 1; " + known},
      {"   ", "expected a filter but found nothing at column 4; " + known},
      {"gausian(1)", "unknown filter 'gausian' at column 1; did you mean 'gaussian'? " + known},
      {"sobel | Sobel", "unknown filter 'Sobel' at column 9; did you mean 'sobel'? " + known},
      {"sharpen", "unknown filter 'sharpen' at column 1; " + known},
      {"sobel |", "expected a filter but found nothing at column 8; " + known},
      {"| sobel", "expected a filter but found '|' at column 1; " + known},
      {"sobel || sobel", "expected a filter but found '|' at column 8; " + known},
      {"sobel sobel", "unexpected 's' at column 7; expected '|' or the end"},
      {"sobel;", "unexpected ';' at column 6; expected '|' or the end"},
      {"sobel)", "unexpected ')' at column 6; expected '|' or the end"},
      {"sobel(1)", "too many numbers for 'sobel' at column 7; usage: sobel"},
      {"median(3, 3)", "too many numbers for 'median' at column 11; usage: median(k = 3)"},
      {"gaussian", "gaussian needs sigma at column 9: a number from 0.01 to 100 pixels"},
      {"gaussian()", "gaussian needs sigma at column 11: a number from 0.01 to 100 pixels"},
      {"gaussian(1.4", "the bracket at column 9 is never closed; add ')'"},
      {"gaussian(1.4 | sobel", "unexpected '|' at column 14; expected ',' or ')'"},
      {"gaussian(1.4 2)", "unexpected '2' at column 14; expected ',' or ')'"},
      {"gaussian(x)", "gaussian: sigma must be a number from 0.01 to 100 pixels, not 'x' at column 10"},
      {"gaussian(,)", "gaussian: sigma must be a number from 0.01 to 100 pixels, not '' at column 10"},
      {"gaussian(1.4px)", "gaussian: sigma must be a number from 0.01 to 100 pixels, not '1.4px' at column 10"},
      {"median(4)", "median: k must be an odd integer from 1 to 31 pixels, not '4' at column 8"},
      {"median(3.5)", "median: k must be an odd integer from 1 to 31 pixels, not '3.5' at column 8"},
  }));
  CAPTURE(text);

  CHECK(error_of(text) == "pipeline: " + message);
}

TEST_CASE("numbers that are none, or out of bounds, are refused", "[image][pipeline]") {
  const std::string number = GENERATE("nan", "-nan", "inf", "-inf", "1e999", "1e-999", "0", "-0", "-1", "100.0001",
                                      "1e300", "0x10", "++1", "+-1", "1.5.2", ".");
  CAPTURE(number);

  const std::string message = error_of("gaussian(" + number + ")");

  CHECK(message ==
        "pipeline: gaussian: sigma must be a number from 0.01 to 100 pixels, not '" + number + "' at column 10");
}

TEST_CASE("window sizes keep to their bounds", "[image][pipeline]") {
  CHECK(error_of("median(1)") == "parsed");
  CHECK(error_of("median(31)") == "parsed");
  CHECK(error_of("median(33)") != "parsed");
  CHECK(error_of("median(-1)") != "parsed");
  CHECK(error_of("median(0)") != "parsed");
}

TEST_CASE("long pipelines parse, and long nonsense gives a short message", "[image][pipeline]") {
  std::string text = "sobel";
  for (int i = 1; i < 10'000; ++i) text += " | sobel";

  CHECK(Pipeline::parse(text).steps().size() == 10'000);
  CHECK(error_of(text + "x").size() < 300);
  CHECK(error_of(std::string(1'000'000, 'a')).size() < 300);
  CHECK(error_of("gaussian(" + std::string(1'000'000, '9') + ")").size() < 300);
  CHECK(error_of(std::string(1'000'000, '(')).size() < 300);
}

TEST_CASE("a message holds no bytes that could upset a terminal", "[image][pipeline]") {
  CHECK(error_of("\x1b[2J").find('\x1b') == std::string::npos);
  CHECK(error_of("gaussian(\x07)").find('\x07') == std::string::npos);
  CHECK(error_of(std::string("sobel\0sobel", 11)) == "pipeline: unexpected '?' at column 6; expected '|' or the end");
}

TEST_CASE("random text either parses or throws InvalidArgument", "[image][pipeline]") {
  test::Random random(1);
  const std::string parts[] = {"gaussian", "median", "sobel", "equalize", "(",   ")",  "|",   ",",
                               " ",        "1.4",    "3",     "-",        "nan", "e9", "\xff"};
  for (int round = 0; round < 5'000; ++round) {
    std::string text;
    const std::size_t size = random.below(12);
    for (std::size_t i = 0; i < size; ++i) text += parts[random.below(std::size(parts))];
    CAPTURE(text);

    const std::string outcome = error_of(text);  // any other exception fails the test

    CHECK(outcome.find('\n') == std::string::npos);
  }
}
