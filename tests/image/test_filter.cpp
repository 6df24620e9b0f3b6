// Needs: no driver
#include "anycl/image/filter.hpp"

#include <string>

#include "support/catch.hpp"

using namespace anycl::image;

TEST_CASE("every filter is found by its name and says what it does", "[image][filter]") {
  for (const Filter& filter : filters()) {
    CAPTURE(std::string{filter.name});
    CHECK(find_filter(filter.name) == &filter);
    CHECK_FALSE(filter.summary.empty());
    CHECK_FALSE(filter.formula.empty());
    CHECK_FALSE(filter.exactness.empty());
    CHECK((filter.largest_difference == 0) == (filter.exactness == "exact"));
  }
}

TEST_CASE("names match exactly or not at all", "[image][filter]") {
  const std::string name = GENERATE("", "Gaussian", "gauss", "sobel ", "median3");

  CHECK(find_filter(name) == nullptr);
}

TEST_CASE("parameters have sensible bounds and defaults inside them", "[image][filter]") {
  for (const Filter& filter : filters()) {
    for (const Parameter& parameter : filter.parameters) {
      CAPTURE(std::string{filter.name}, std::string{parameter.name});
      CHECK(parameter.lowest < parameter.highest);
      if (parameter.fallback)
        CHECK((*parameter.fallback >= parameter.lowest && *parameter.fallback <= parameter.highest));
    }
  }
}

TEST_CASE("usage and bounds read as in a help text", "[image][filter]") {
  CHECK(usage(*find_filter("gaussian")) == "gaussian(sigma)");
  CHECK(usage(*find_filter("median")) == "median(k = 3)");
  CHECK(usage(*find_filter("sobel")) == "sobel");
  CHECK(allowed(find_filter("gaussian")->parameters[0]) == "a number from 0.01 to 100 pixels");
  CHECK(allowed(find_filter("median")->parameters[0]) == "an odd integer from 1 to 31 pixels");
}
