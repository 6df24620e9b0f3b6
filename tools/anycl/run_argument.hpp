/// \file  An argument of `anycl run`: where its contents come from, and where they go.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "anycl/memory/buffer.hpp"
#include "anycl/program/argument.hpp"
#include "anycl/program/kernel_info.hpp"
#include "argument_spec.hpp"
#include "json_document.hpp"

namespace anycl::command {

class RunArgument {
 public:
  /// \param parameter  null where the driver does not tell it
  /// \throws InvalidArgument  when the two do not go together; says why.
  /// \throws IoError          for a file that cannot be read.
  /// \throws OutOfMemory      for a buffer that the device cannot hold.
  RunArgument(Context& context, ArgumentSpec spec, const ParameterInfo* parameter);

  [[nodiscard]] const ArgumentSpec& spec() const noexcept { return spec_; }

  /// As a launch takes it; points into this object.
  [[nodiscard]] detail::BoundArgument bound() const;

  /// Writes what a launch may have changed anew.
  void restore(Queue& queue);

  /// Whether a launch may have changed it.
  [[nodiscard]] bool is_result() const noexcept { return buffer_ && !read_only_; }

  /// Reads it from the device. \throws  what the launch failed with
  void fetch();

  /// Writes it to `spec().output`: a .npy file, or its bytes alone under any other name.
  /// \throws IoError
  void save() const;

  /// "y", "float[1000]", "0 1 2 ..."
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string type_text() const;
  [[nodiscard]] std::string values_text() const;
  [[nodiscard]] Json describe() const;

 private:
  void take_number(const ParameterInfo* parameter);
  void make_buffer(Context& context);
  void fill(const std::vector<std::uint8_t>& file);
  void generate();

  /// \throws InvalidArgument  when the kernel takes elements of another kind.
  void check_elements(const ParameterInfo& parameter) const;

  /// Arrays of N x 3 have no room behind each three; buffers do.
  void spread_threes();
  [[nodiscard]] std::vector<std::byte> saved_bytes() const;
  [[nodiscard]] std::size_t numbers() const;  ///< in all, without that room
  [[nodiscard]] std::size_t offset_of(std::size_t number) const;
  [[nodiscard]] std::size_t elements() const;
  [[nodiscard]] std::size_t shown() const;
  [[nodiscard]] std::span<const std::byte> number_at(std::size_t index) const;

  ArgumentSpec spec_;
  std::string name_;
  ElementType type_;
  bool read_only_ = false;
  std::vector<std::size_t> shape_{};   ///< of a .npy file
  std::vector<std::byte> contents_{};  ///< on the host: what goes in, and after `fetch` what came out
  std::optional<Buffer<std::byte>> buffer_{};
};

}  // namespace anycl::command
