/// \file  A kernel that is a file of the machine, with files that it includes. Here the program writes them first.
#include <anycl/anycl.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

int run(const std::string& kernels, const std::string& common) {
  write(kernels + "/square.cl",
        "#include \"indices.clh\"\n"
        "kernel void square(global int* x) { x[INDEX] *= x[INDEX]; }\n");
  write(common + "/indices.clh", "#define INDEX get_global_id(0)\n");
  anycl::Context context;
  anycl::Queue queue(context, context.device(0));
  anycl::Buffer<int> x(context, std::vector<int>{1, 2, 3});

  // [readme:source_files]
  const anycl::Source source = anycl::Source::from_file(kernels + "/square.cl", {common});
  launch(queue, anycl::Kernel(context, source, "square"), 3, x);
  // [/readme]

  const bool right = to_host(x) == std::vector<int>{1, 4, 9};
  std::puts(right ? "source_files: right" : "source_files: wrong numbers");
  return right ? 0 : 1;
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / ("anycl-source-files-" + std::to_string(std::random_device{}()));
  int result = 1;
  try {
    result = run((folder / "kernels").string(), (folder / "common").string());
  } catch (const std::exception& error) {
    std::printf("source_files: %s\n", error.what());
  }
  fs::remove_all(folder);
  return result;
}
