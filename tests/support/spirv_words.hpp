/// \file  SPIR-V modules made by hand: tests need no compiler for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "anycl/device/capabilities.hpp"

namespace anycl::test {

/// Puts a module together, instruction by instruction. Source: SPIR-V 1.6, section 2.3.
class SpirvWriter {
 public:
  explicit SpirvWriter(Version version = {1, 0}, std::uint32_t bound = 64)
      : words_{0x07230203, version.major << 16 | version.minor << 8, 0, bound, 0} {}

  template <class... Operands>
  SpirvWriter& add(std::uint32_t code, const Operands&... operands) {
    const std::size_t begin = words_.size();
    words_.push_back(0);
    (put(operands), ...);
    words_[begin] = static_cast<std::uint32_t>(words_.size() - begin) << 16 | code;
    return *this;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& words() const noexcept { return words_; }

 private:
  template <class Word>
    requires std::is_integral_v<Word> || std::is_enum_v<Word>
  void put(Word word) { words_.push_back(static_cast<std::uint32_t>(word)); }
  void put(std::string_view text) {  // four characters a word, the first one lowest, and a zero byte at least
    for (std::size_t begin = 0; begin <= text.size(); begin += 4) {
      std::uint32_t word = 0;
      for (std::size_t i = begin; i < text.size() && i < begin + 4; ++i)
        word |= std::uint32_t{static_cast<unsigned char>(text[i])} << (8 * (i - begin));
      words_.push_back(word);
    }
  }

  std::vector<std::uint32_t> words_;
};

/// What `kernel void scale(global uint* x, uint factor) { x[get_global_id(0)] *= factor + TERM; }` compiles to, on a device
/// of 64 bits.
inline std::vector<std::uint32_t> scale_module(Version version = {1, 0}, int term = 0) {
  enum Id {
    kImport = 1,
    kVoid,
    kUint,
    kUlong,
    kSizes,
    kSizesIn,
    kGlobalId,
    kUintPointer,
    kFunctionType,
    kScale,
    kX,
    kFactor,
    kBegin,
    kIds,
    kI,
    kPlace,
    kOld,
    kNew,
    kTerm,
    kSum
  };
  constexpr int kCapability = 17, kExtInstImport = 11, kMemoryModel = 14, kEntryPoint = 15, kSource = 3, kName = 5;
  constexpr int kDecorate = 71, kTypeVoid = 19, kTypeInt = 21, kTypeVector = 23, kTypePointer = 32, kTypeFunction = 33;
  constexpr int kConstant = 43, kVariable = 59, kFunction = 54, kFunctionParameter = 55, kLabel = 248;
  constexpr int kLoad = 61, kStore = 62, kInBoundsPtrAccessChain = 70, kCompositeExtract = 81;
  constexpr int kIAdd = 128, kIMul = 132, kReturn = 253, kFunctionEnd = 56;
  constexpr int kAddresses = 4, kKernel = 6, kInt64 = 11;
  constexpr int kPhysical64 = 2, kOpenClModel = 2, kOpenClC = 3, kBuiltIn = 11, kGlobalInvocationId = 28, kConst = 22;
  constexpr int kInput = 1, kCrossWorkgroup = 5, kAligned = 2;
  return SpirvWriter(version)
      .add(kCapability, kAddresses)
      .add(kCapability, kKernel)
      .add(kCapability, kInt64)
      .add(kExtInstImport, kImport, "OpenCL.std")
      .add(kMemoryModel, kPhysical64, kOpenClModel)
      .add(kEntryPoint, kKernel, kScale, "scale", kGlobalId)
      .add(kSource, kOpenClC, 102000)
      .add(kName, kX, "x")
      .add(kName, kFactor, "factor")
      .add(kDecorate, kGlobalId, kBuiltIn, kGlobalInvocationId)
      .add(kDecorate, kGlobalId, kConst)
      .add(kTypeVoid, kVoid)
      .add(kTypeInt, kUint, 32, 0)
      .add(kTypeInt, kUlong, 64, 0)
      .add(kTypeVector, kSizes, kUlong, 3)
      .add(kTypePointer, kSizesIn, kInput, kSizes)
      .add(kTypePointer, kUintPointer, kCrossWorkgroup, kUint)
      .add(kTypeFunction, kFunctionType, kVoid, kUintPointer, kUint)
      .add(kConstant, kUint, kTerm, term)
      .add(kVariable, kSizesIn, kGlobalId, kInput)
      .add(kFunction, kVoid, kScale, 0, kFunctionType)
      .add(kFunctionParameter, kUintPointer, kX)
      .add(kFunctionParameter, kUint, kFactor)
      .add(kLabel, kBegin)
      .add(kLoad, kSizes, kIds, kGlobalId)
      .add(kCompositeExtract, kUlong, kI, kIds, 0)
      .add(kInBoundsPtrAccessChain, kUintPointer, kPlace, kX, kI)
      .add(kLoad, kUint, kOld, kPlace, kAligned, 4)
      .add(kIAdd, kUint, kSum, kFactor, kTerm)
      .add(kIMul, kUint, kNew, kOld, kSum)
      .add(kStore, kPlace, kNew, kAligned, 4)
      .add(kReturn)
      .add(kFunctionEnd)
      .words();
}

}  // namespace anycl::test
