// What `anycl run --arg` takes. Input: its text.
#include <cstdint>
#include <string_view>

#include "anycl/base/error.hpp"
#include "argument_spec.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const command::ArgumentSpec spec = command::parse_argument(text);
    using Kind = command::ArgumentSpec::Kind;
    const bool is_file = spec.kind == Kind::npy || spec.kind == Kind::raw;
    require(text.find(spec.value) != std::string_view::npos, "a value is a part of the text");
    require(text.ends_with(spec.output) || text.ends_with('@'), "an output ends the text");
    require(spec.output.empty() || spec.is_buffer(), "only buffers are saved");
    require(is_file ? !spec.value.empty() && spec.size == 0 : spec.kind == Kind::number || spec.value.empty(),
            "files have a name, others a size");
  } catch (const InvalidArgument& error) {
    require(std::string_view(error.what()).size() < size + 200, "an error is about as long as its text");
  }
  return 0;
}
