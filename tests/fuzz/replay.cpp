// Runs a fuzz target on files, without a fuzzer: replay FOLDER|FILE...
// Names each file before it runs, so that the last line says which one ended the process.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "support/folder.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const fs::path& file) {
  std::cout << file.string() << std::endl;
  if (!fs::is_regular_file(file)) throw std::runtime_error("no such input: " + file.string());
  const std::string input = anycl::test::read_file(file.string());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : files_of(argv[i])) {
      replay(file);
      ++inputs;
    }
  }
  if (inputs == 0) {
    std::cerr << "replay: no input; usage: replay FOLDER|FILE...\n";
    return 2;
  }
  std::cout << inputs << " inputs hold\n";
}
