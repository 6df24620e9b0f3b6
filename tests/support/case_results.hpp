/// \file  Noting how the tests end that name a case from the field: tests/cases.py makes a table of it.
#pragma once

#include <string>
#include <string_view>

namespace anycl::test {

enum class TestEnd { pass, fail, skip };

/// Adds a line to the file `results` in the folder that ANYCL_CASE_RESULTS names, for each case, such as [OCL-006], in
/// `name` or `tags`. Without that variable nothing happens. `source` is the test's file.
void note_case_result(const std::string& source, const std::string& name, const std::string& tags, TestEnd end);

/// The name without its cases: what the table calls the test.
[[nodiscard]] std::string name_without_cases(const std::string& name);

}  // namespace anycl::test
