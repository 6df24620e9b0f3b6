#include "device/entry_points.hpp"

#include <atomic>
#include <mutex>

#include <CL/cl_icd.h>
#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/logging.hpp"
#include "base/os_library.hpp"
#include "base/os_process.hpp"

namespace anycl::detail {
namespace {

#if defined(_WIN32)
constexpr const char* kLoaderName = "OpenCL.dll";
#elif defined(__APPLE__)
constexpr const char* kLoaderName = "/System/Library/Frameworks/OpenCL.framework/OpenCL";
#else
constexpr const char* kLoaderName = "libOpenCL.so.1";
#endif

/// Never destroyed, as with all else here.
std::string& loader_name() {
  static std::string& name = *new std::string(kLoaderName);
  return name;
}

constinit std::atomic<const EntryPoints*> current{nullptr};
constinit std::atomic<const EntryPoints*> loaders_own{nullptr};  // the loader's own, once there

constexpr std::uint32_t kNever = 0xffffffff;
constinit std::atomic<std::uint32_t> opened_in{kNever};  // the fork generation that opened the loader

/// Where entries are looked up: what the process has already (a preloaded emulator, a loader the host linked), else
/// the system's loader.
class SymbolSource {
 public:
  SymbolSource() : in_process_(os::find_in_process("clGetPlatformIDs") != nullptr) {
    if (in_process_) return;
    loader_ = os::Library::open(loader_name());
    if (!loader_)
      throw NoDevice(fmt::format("OpenCL loader {} cannot be opened ({}): install the package ocl-icd-libopencl1",
                                 loader_name(), loader_.problem()));
  }

  [[nodiscard]] std::string file() const {
    std::string path = in_process_ ? os::file_of(os::find_in_process("clGetPlatformIDs")) : loader_.file();
    return path.empty() ? loader_name() : path;
  }

  [[nodiscard]] void* find(const char* symbol) const {
    return in_process_ ? os::find_in_process(symbol) : loader_.find(symbol);
  }

 private:
  bool in_process_;
  os::Library loader_;
};

template <class Function>
void fill(Function*& entry, const SymbolSource& source, const char* name, const std::string& library) {
  entry = reinterpret_cast<Function*>(source.find(name));
  if (entry == nullptr)
    throw NoDevice(fmt::format(
        "OpenCL loader {} lacks the symbol {}: it is older than OpenCL 1.2 or not a loader; install ocl-icd-libopencl1",
        library, name));
}

template <class Function>
void fill_if_there(Function*& entry, const SymbolSource& source, const char* name) {
  entry = reinterpret_cast<Function*>(source.find(name));
}

EntryPoints open_table() {
  const SymbolSource source;
  EntryPoints table;
  table.library = source.file();
#define ANYCL_CL_FILL(result, name, parameters, arguments) fill(table.name, source, #name, table.library);
#define ANYCL_CL_FILL_IF_THERE(result, name, parameters, arguments) fill_if_there(table.name, source, #name);
  ANYCL_CL_ENTRIES(ANYCL_CL_FILL, ANYCL_CL_FILL, ANYCL_CL_FILL_IF_THERE)
#undef ANYCL_CL_FILL_IF_THERE
#undef ANYCL_CL_FILL
  table.objects_have_tables = table.library.find("libOpenCL") != std::string::npos;
  log::debug("OpenCL entries from {}", table.library);
  return table;
}

/// Never destroyed: objects with static storage may still release handles while the process ends.
const EntryPoints& open_once() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (loaders_own.load(std::memory_order_relaxed) == nullptr) {
    os::watch_forks();
    opened_in.store(os::fork_generation(), std::memory_order_release);
    loaders_own.store(new EntryPoints(open_table()), std::memory_order_release);
  }
  const EntryPoints* expected = nullptr;
  current.compare_exchange_strong(expected, loaders_own.load(std::memory_order_relaxed), std::memory_order_acq_rel);
  return *current.load(std::memory_order_acquire);
}

/// True when the driver of `object` has no code for the entry that `member` names.
template <class Object, class Member>
bool driver_lacks(const EntryPoints& table, Object object, Member cl_icd_dispatch::*member) {
  if (!table.objects_have_tables || object == nullptr) return false;
  const cl_icd_dispatch* driver_table = *reinterpret_cast<cl_icd_dispatch* const*>(object);
  return driver_table != nullptr && driver_table->*member == nullptr;
}

/// `entry_points()` for the functions below, where it must cost nothing.
inline const EntryPoints& table_in_force() {
  const EntryPoints* table = current.load(std::memory_order_acquire);
  if (table != nullptr) [[likely]]
    return *table;
  return open_once();
}

template <class Object, class... Rest>
Object first_of(Object object, Rest...) {
  return object;
}

}  // namespace

const EntryPoints& entry_points() { return table_in_force(); }

void use_loader(const std::string& file) { loader_name() = file; }

bool is_loaders_own(const EntryPoints& table) noexcept { return &table == loaders_own.load(std::memory_order_acquire); }

void check_not_forked() {
  const std::uint32_t opened = opened_in.load(std::memory_order_acquire);
  if (opened != kNever && opened != os::fork_generation())
    throw UsedAfterFork(
        "OpenCL was used before fork(), and drivers do not work in the child: start the child with exec");
}

ScopedEntryPoints::ScopedEntryPoints(const EntryPoints& table) noexcept
    : previous_(current.exchange(&table, std::memory_order_acq_rel)) {}

ScopedEntryPoints::~ScopedEntryPoints() { current.store(previous_, std::memory_order_release); }

}  // namespace anycl::detail

// The standard names, hidden: code of ours and CLHPP reads as usual and still goes through the table.
using anycl::detail::driver_lacks;
using anycl::detail::first_of;
using anycl::detail::table_in_force;

#define ANYCL_CL_PLAIN(result, name, parameters, arguments) \
  result CL_API_CALL name parameters { return table_in_force().name arguments; }
#define ANYCL_CL_GUARDED(result, name, parameters, arguments)                                         \
  result CL_API_CALL name parameters {                                                                \
    const auto& table = table_in_force();                                                             \
    if (driver_lacks(table, first_of arguments, &cl_icd_dispatch::name)) return CL_INVALID_OPERATION; \
    return table.name arguments;                                                                      \
  }

#define ANYCL_CL_OPTIONAL(result, name, parameters, arguments)                                               \
  result CL_API_CALL name parameters {                                                                       \
    const auto& table = table_in_force();                                                                    \
    if (table.name == nullptr || driver_lacks(table, first_of arguments, &cl_icd_dispatch::name)) return {}; \
    return table.name arguments;                                                                             \
  }

extern "C" {
ANYCL_CL_ENTRIES(ANYCL_CL_PLAIN, ANYCL_CL_GUARDED, ANYCL_CL_OPTIONAL)
}
