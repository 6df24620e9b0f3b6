// A NumPy array file, as `anycl run` is given one. Input: its bytes.
#include <cstdint>
#include <span>
#include <vector>

#include "anycl/base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "npy.hpp"

using namespace anycl;
using fuzz::require;

namespace {

/// The file with its header written by us.
std::vector<std::uint8_t> rewritten(std::span<const std::uint8_t> file, const command::NpyHeader& header) {
  const std::string head = command::npy_header(header.scalar, header.shape);
  std::vector<std::uint8_t> bytes(head.begin(), head.end());
  const auto numbers = file.subspan(header.data_offset);
  bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span file(data, size);
  try {
    const command::NpyHeader header = command::parse_npy(file);
    require(header.data_offset <= size, "the numbers lie in the file");
    const std::size_t bytes = size - header.data_offset;
    require(header.count == 0 ? bytes == 0 : bytes % header.count == 0 && bytes / header.count <= 8,
            "the file has as many numbers as it says");
    const auto again = rewritten(file, header);
    const command::NpyHeader read = command::parse_npy(again);
    require(read.scalar == header.scalar && read.shape == header.shape && read.count == header.count &&
                again.size() - read.data_offset == bytes,
            "an array written again reads as the same");
    require(read.data_offset % 64 == 0, "the numbers begin where NumPy has them");
  } catch (const InvalidArgument& error) {
    fuzz::require_short_line(error.what());
  }
  return 0;
}
