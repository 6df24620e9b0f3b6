#include "program/struct_layouts.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "device/check.hpp"
#include "program/kernel_table.hpp"
#include "program/signature.hpp"

namespace anycl::detail {
namespace {

constexpr const char* kName = "anycl_layout";

/// Writes the text of a query.
class Writer {
 public:
  Writer(LayoutQuery& query, const Capabilities& device) : query_(query), device_(device) {}

  void write(const StructDescription& described) {
    if (device_.fp64) query_.text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (device_.fp16) query_.text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    add(described);
    query_.text += fmt::format("kernel void {}(global ulong* out) {{\n{}}}\n", kName, statements_);
  }

 private:
  /// Gives the number of the struct in the text.
  std::size_t add(const StructDescription& described) {
    if (const auto known = std::find(known_.begin(), known_.end(), &described); known != known_.end())
      return static_cast<std::size_t>(known - known_.begin());
    std::string members;
    for (std::size_t i = 0; i < described.member_count; ++i) {
      const MemberDescription& member = described.members[i];
      members += fmt::format(" {} m{}", word_of(member), i);
      members += member.size == 1 ? ";" : fmt::format("[{}];", member.size);
    }
    const std::size_t number = known_.size();
    known_.push_back(&described);
    query_.text += fmt::format("struct s{} {{{} }};\n", number, members);
    ask({&described, nullptr, described.size_bytes}, fmt::format("sizeof(struct s{})", number));
    for (std::size_t i = 0; i < described.member_count; ++i)
      ask({&described, &described.members[i], described.members[i].offset},
          // No struct lies there, and none is read: the places alone matter.
          fmt::format("(global uchar*)&((global struct s{}*)out)->m{} - (global uchar*)out", number, i));
    return number;
  }

  void ask(const LayoutQuery::Answer& answer, const std::string& expression) {
    statements_ += fmt::format("  out[{}] = {};\n", query_.answers.size(), expression);
    query_.answers.push_back(answer);
  }

  std::string word_of(const MemberDescription& member) {
    if (member.structure != nullptr) return fmt::format("struct s{}", add(*member.structure));
    ElementType type = member.type;
    if (type.scalar == ScalarType::float64 && !device_.fp64) type.scalar = ScalarType::uint64;
    if (type.scalar == ScalarType::half && !device_.fp16) type.scalar = ScalarType::uint16;
    return type_word(type);
  }

  LayoutQuery& query_;
  const Capabilities& device_;
  std::string statements_;
  std::vector<const StructDescription*> known_;
};

/// A queue for one question, gone with it.
class OwnQueue {
 public:
  OwnQueue(ContextCore& context, const Device& device) : core_(context.make_queue(device, {})) {}
  ~OwnQueue() { core_->retire(); }
  OwnQueue(const OwnQueue&) = delete;
  OwnQueue& operator=(const OwnQueue&) = delete;
  QueueCore* operator->() const noexcept { return core_.get(); }
  QueueCore& operator*() const noexcept { return *core_; }

 private:
  std::shared_ptr<QueueCore> core_;
};

/// Memory of a native context for `size` numbers.
class OwnMemory {
 public:
  OwnMemory(NativeContext& context, std::size_t size) : lifetime_(context.lifetime()) {
    cl_int code = CL_SUCCESS;
    buffer_() = clCreateBuffer(context.handle(), CL_MEM_READ_WRITE, size * sizeof(cl_ulong), nullptr, &code);
    check_cl(code, "clCreateBuffer", "layout of a struct");
  }
  ~OwnMemory() { release(buffer_, lifetime_); }
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  [[nodiscard]] cl_mem get() const noexcept { return buffer_(); }

 private:
  const Lifetime& lifetime_;
  cl::Buffer buffer_;
};

}  // namespace

LayoutQuery::LayoutQuery(const StructDescription& described, const Capabilities& device) {
  Writer(*this, device).write(described);
}

std::string layout_difference(const LayoutQuery& query, std::span<const std::uint64_t> on_device,
                              std::string_view device) {
  for (std::size_t i = 0; i < query.answers.size(); ++i) {
    const auto& [structure, member, on_host] = query.answers[i];
    if (on_device[i] == on_host || member == nullptr) continue;
    return fmt::format("member '{}' of struct {} is at byte {} on the host and at byte {} on {}", member->name,
                       structure->name, on_host, on_device[i], device);
  }
  for (std::size_t i = 0; i < query.answers.size(); ++i) {
    const auto& [structure, member, on_host] = query.answers[i];
    if (on_device[i] != on_host)
      return fmt::format("struct {} has {} bytes on the host and {} on {}", structure->name, on_host, on_device[i],
                         device);
  }
  return {};
}

bool StructLayouts::known_equal(std::size_t device_index, const StructDescription& described) {
  const std::lock_guard lock(mutex_);
  return equal_.contains({device_index, described.fingerprint});
}

void StructLayouts::check(std::size_t device_index, const StructDescription& described, const std::string& subject) {
  if (known_equal(device_index, described)) return;
  const Device& device = context_.devices()[device_index];
  const LayoutQuery query(described, device.capabilities());
  const std::string difference = layout_difference(query, ask(device_index, query), device.name());
  if (!difference.empty())
    throw InvalidArgument(fmt::format(
        "{}: {}; describe all members, and let the host neither pack nor align them otherwise", subject, difference));
  const std::lock_guard lock(mutex_);
  equal_.emplace(device_index, described.fingerprint);
}

/// Two threads may ask the same: the answers are equal.
std::vector<std::uint64_t> StructLayouts::ask(std::size_t device_index, const LayoutQuery& query) const {
  const auto kernel =
      KernelTable::find_or_make(context_.shared_from_this(), BuildInput(Source(query.text, "layout query"), {}), kName);
  BuiltKernel& built = kernel->on_device(device_index);
  const OwnMemory memory(*context_.native_of(device_index), query.answers.size());
  const OwnQueue queue(context_, context_.devices()[device_index]);
  const LentKernel native(built.pool);
  const cl_mem argument = memory.get();
  ANYCL_CL(clSetKernelArg(native.get(), 0, sizeof argument, &argument));
  const WaitList nothing(*queue);
  const std::size_t one = 1;
  const Event event = queue->submit(
      nothing, kernel->label(), [&](cl_command_queue target, cl_uint count, const cl_event* list, cl_event* done) {
        return clEnqueueNDRangeKernel(target, native.get(), 1, nullptr, &one, &one, count, list, done);
      });
  if (built.program.first_launch()) context_.attached<ProgramCache>().launched(built.program, event);
  event.wait();
  std::vector<cl_ulong> answers(query.answers.size());
  ANYCL_CL(clEnqueueReadBuffer(queue->native(), memory.get(), CL_TRUE, 0, answers.size() * sizeof(cl_ulong),
                               answers.data(), 0, nullptr, nullptr));
  return {answers.begin(), answers.end()};
}

}  // namespace anycl::detail
