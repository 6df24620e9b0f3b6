#include "table.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "printable.hpp"

namespace anycl::command {
namespace {

/// Characters, not bytes: UTF-8 continuation bytes take no column.
std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void Table::add(Row row) {
  std::transform(row.begin(), row.end(), row.begin(), printable);
  rows_.push_back(std::move(row));
}

void Table::print(std::FILE* stream) const {
  std::vector<std::size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const Row& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    fmt::print(stream, "{}\n", line);
  }
}

}  // namespace anycl::command
