#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "doctor/elf_file.hpp"

namespace anycl::command {
namespace {

namespace fs = std::filesystem;
using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Entry = ElfW(Dyn);

constexpr std::size_t kMostEntries = 10'000;  // of a table in a file that may be damaged
constexpr std::size_t kLongestName = 4096;

/// Reads at places of a regular file. What is not there is nothing.
class Reader {
 public:
  explicit Reader(const std::string& path) {
    std::error_code unknown;
    if (fs::is_regular_file(path, unknown)) file_.open(path, std::ios::binary);
  }

  template <class T>
  std::optional<T> value_at(std::uint64_t offset) {
    T value{};
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(&value), sizeof value)) return std::nullopt;
    return value;
  }

  std::string text_at(std::uint64_t offset) {
    std::string text;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    for (int byte = file_.get(); byte > 0 && text.size() < kLongestName; byte = file_.get())
      text += static_cast<char>(byte);
    return text;
  }

 private:
  std::ifstream file_;
};

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "x86";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "riscv";
    case EM_S390:
      return "s390";
    default:
      return fmt::format("machine {}", machine);
  }
}

std::string describe(const Header& header) {
  const bool wide = header.e_ident[EI_CLASS] == ELFCLASS64;
  const bool big = header.e_ident[EI_DATA] == ELFDATA2MSB;
  const auto machine =
      big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? header.e_machine : __builtin_bswap16(header.e_machine);
  return fmt::format("{}, {} bit{}", machine_name(machine), wide ? 64 : 32, big ? ", big-endian" : "");
}

std::optional<Header> header_of(Reader& file) {
  auto header = file.value_at<Header>(0);
  if (header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0) return header;
  return std::nullopt;
}

std::vector<Segment> segments_of(Reader& file, const Header& header) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < header.e_phnum && i < kMostEntries; ++i)
    if (const auto segment = file.value_at<Segment>(header.e_phoff + i * sizeof(Segment))) segments.push_back(*segment);
  return segments;
}

std::vector<Entry> entries_of(Reader& file, const std::vector<Segment>& segments) {
  std::vector<Entry> entries;
  for (const Segment& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::size_t i = 0; i < segment.p_filesz / sizeof(Entry) && i < kMostEntries; ++i) {
      const auto entry = file.value_at<Entry>(segment.p_offset + i * sizeof(Entry));
      if (!entry || entry->d_tag == DT_NULL) return entries;
      entries.push_back(*entry);
    }
  }
  return entries;
}

/// Where the file holds what will be at `address` in memory.
std::optional<std::uint64_t> offset_of(std::uint64_t address, const std::vector<Segment>& segments) {
  for (const Segment& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ':');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// "$ORIGIN" is the library's own folder.
std::string expanded(std::string folder, const fs::path& library) {
  for (const std::string_view name : {"${ORIGIN}", "$ORIGIN"})
    if (const auto at = folder.find(name); at != folder.npos)
      folder.replace(at, name.size(), library.parent_path().string());
  return folder;
}

}  // namespace

std::optional<ElfFile> ElfFile::read(const std::string& path) {
  Reader file(path);
  const auto header = header_of(file);
  if (!header) return std::nullopt;
  ElfFile elf{.machine = describe(*header)};
  elf.foreign = elf.machine != own_machine();
  if (elf.foreign) return elf;
  const auto segments = segments_of(file, *header);
  const auto entries = entries_of(file, segments);
  std::optional<std::uint64_t> names;
  for (const Entry& entry : entries)
    if (entry.d_tag == DT_STRTAB) names = offset_of(entry.d_un.d_ptr, segments);
  if (!names) return elf;
  for (const Entry& entry : entries) {
    if (entry.d_tag == DT_NEEDED) elf.needed.push_back(file.text_at(*names + entry.d_un.d_val));
    if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
      for (const std::string& folder : split(file.text_at(*names + entry.d_un.d_val)))
        elf.run_folders.push_back(expanded(folder, path));
  }
  return elf;
}

std::string own_machine() {
  Reader self("/proc/self/exe");
  const auto header = header_of(self);
  return header ? describe(*header) : std::string();
}

std::string find_library_file(const std::string& name) {
  std::error_code unknown;
  if (name.find('/') != std::string::npos) return fs::exists(name, unknown) ? name : std::string();
  void* const program = ::dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo count{};
  if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &count) != 0) return {};
  std::vector<std::max_align_t> storage(count.dls_size / sizeof(std::max_align_t) + 1);
  auto* const folders = reinterpret_cast<Dl_serinfo*>(storage.data());
  folders->dls_size = count.dls_size;
  folders->dls_cnt = count.dls_cnt;
  if (::dlinfo(program, RTLD_DI_SERINFO, folders) != 0) return {};
  for (unsigned i = 0; i < folders->dls_cnt; ++i)
    if (const fs::path file = fs::path(folders->dls_serpath[i].dls_name) / name; fs::exists(file, unknown))
      return file.string();
  return {};
}

}  // namespace anycl::command
