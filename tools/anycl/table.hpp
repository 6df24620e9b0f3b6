/// \file  Text in columns.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace anycl::command {

/// Rows of texts, printed with each column as wide as its widest cell. Cells may hold anything: they are made printable.
class Table {
 public:
  using Row = std::vector<std::string>;

  /// The first row is the headline. Short rows are fine.
  void add(Row row);

  void print(std::FILE* stream) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace anycl::command
