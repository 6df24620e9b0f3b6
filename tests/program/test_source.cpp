// Needs: no driver
#include "anycl/program/source.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "anycl/base/error.hpp"
#include "program/include_expander.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"

using namespace anycl;

namespace {

namespace fs = std::filesystem;

/// A folder that a test writes files into; relative names are relative to it.
class Tree {
 public:
  Tree() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  ~Tree() { fs::current_path(before_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    test::write_file(path.string(), text);
  }

 private:
  test::Folder folder_;
  fs::path before_;
};

std::string text_of(const Source& source) { return detail::expand(source, {}); }

std::string refusal(const std::string& path, const std::vector<std::string>& folders = {}) {
  try {
    return "no error, but: " + text_of(Source::from_file(path, folders));
  } catch (const Error& error) {
    return error.what();
  }
}

/// What cpp makes of its arguments: lines with something on them.
std::string preprocessed(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"-P", "-w", "-undef", "-nostdinc"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const auto result = test::run_child("cpp", all);
  std::string text = result.exit_code == 0 ? "" : "failed: ";
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(' ') != std::string::npos) text += line + '\n';
  return text;
}

}  // namespace

TEST_CASE("a file includes what is beside it and in the given folders, and messages have their names", "[source]") {
  const Tree tree;
  tree.write("k/main.cl", "#include \"beside.clh\"\n#include <inner/deep.clh>\n#include \"other.clh\"\nend;\n");
  tree.write("k/beside.clh", "beside;\n");
  tree.write("k/inner/deep.clh", "#include \"near.clh\"\n#include \"beside.clh\"\n");
  tree.write("k/inner/near.clh", "near;\n");
  tree.write("inc/other.clh", "other;\n");

  const Source source = Source::from_file("k/main.cl", {"inc"});

  CHECK(source.name() == "k/main.cl");
  CHECK(source.text().ends_with("end;\n"));
  CHECK(text_of(source) ==
        "#line 1 \"k/main.cl\"\n"
        "#line 1 \"k/beside.clh\"\nbeside;\n#line 2 \"k/main.cl\"\n"
        "#line 1 \"k/inner/deep.clh\"\n#line 1 \"k/inner/near.clh\"\nnear;\n#line 2 \"k/inner/deep.clh\"\n"
        "#line 1 \"k/beside.clh\"\nbeside;\n#line 3 \"k/inner/deep.clh\"\n#line 3 \"k/main.cl\"\n"
        "#line 1 \"inc/other.clh\"\nother;\n#line 4 \"k/main.cl\"\nend;\n");
}

TEST_CASE("a file is named as the caller names it", "[source]") {
  const Tree tree;
  tree.write("main.cl", "#include \"./a//b.clh\"\n");
  tree.write("a/b.clh", "b;\n");
  const auto way = GENERATE(as<std::string>{}, "", "./", "a/../", "absolute");
  const std::string folder = way == "absolute" ? fs::current_path().string() + "/" : way;

  CHECK(text_of(Source::from_file(folder + "main.cl")) == "#line 1 \"" + folder + "main.cl\"\n#line 1 \"" + folder +
                                                              "a/b.clh\"\nb;\n#line 2 \"" + folder + "main.cl\"\n");
}

TEST_CASE("text made at run time includes from folders", "[source]") {
  const Tree tree;
  tree.write("one/a.clh", "#include \"b.clh\"\n");
  tree.write("one/b.clh", "b of one;\n");
  tree.write("two/b.clh", "b of two;\n");
  tree.write("two/c.clh", "c;\n");

  CHECK(text_of(Source("#include \"a.clh\"\n#include \"c.clh\"\n", "t.cl", {"two", "one"})) ==
        "#line 1 \"t.cl\"\n#line 1 \"one/a.clh\"\n#line 1 \"one/b.clh\"\nb of one;\n#line 2 \"one/a.clh\"\n"
        "#line 2 \"t.cl\"\n#line 1 \"two/c.clh\"\nc;\n#line 3 \"t.cl\"\n");
  CHECK(text_of(Source("#include \"b.clh\"\n", "t.cl", {"two", "one"})).find("b of two;") != std::string::npos);
  CHECK_THROWS_WITH(Source("x", "t.cl", {"no such"}), "cannot open folder 'no such': No such file or directory");
}

TEST_CASE("a source is what it was when it was made [OCL-082]", "[source]") {
  const Tree tree;
  tree.write("main.cl", "#include \"a.clh\"\n");
  tree.write("a.clh", "before;\n");

  const Source source = Source::from_file("main.cl");
  const Source copy = source;
  tree.write("a.clh", "after;\n");
  fs::remove("main.cl");

  CHECK(text_of(source).find("before;") != std::string::npos);
  CHECK(text_of(copy).find("before;") != std::string::npos);
  tree.write("main.cl", "#include \"a.clh\"\n");
  CHECK(text_of(Source::from_file("main.cl")).find("after;") != std::string::npos);
}

TEST_CASE("a path out of its folder is found where another of the folders has it", "[source]") {
  const Tree tree;
  tree.write("k/main.cl", "#include \"../common/a.clh\"\n");
  tree.write("common/a.clh", "#include \"../k/b.clh\"\n");
  tree.write("k/b.clh", "b;\n");

  CHECK(text_of(Source::from_file("k/main.cl", {"."})).find("\"./common/a.clh\"\n") != std::string::npos);
  CHECK(text_of(Source::from_file("k/main.cl", {"."})).find("\nb;\n") != std::string::npos);
  CHECK(text_of(Source::from_file("k/main.cl", {"common/"})).find("\nb;\n") != std::string::npos);
  CHECK(
      text_of(Source::from_file("k/main.cl")) ==
      "#line 1 \"k/main.cl\"\n#line 1 \"k/main.cl\"\n"
      "#error include \"../common/a.clh\" is outside of the folders to include from; add the one that it is in, chain "
      "\"k/main.cl\"\n#line 2 \"k/main.cl\"\n");
}

TEST_CASE("an include that is nowhere becomes an #error at its place", "[source]") {
  const Tree tree;
  tree.write("k/main.cl", "int x;\n#include \"nothing.clh\"\n");

  CHECK(text_of(Source::from_file("k/main.cl"))
            .find("#line 2 \"k/main.cl\"\n#error include \"nothing.clh\" is not in the folders to include from, chain "
                  "\"k/main.cl\"\n") != std::string::npos);
  CHECK(text_of(Source("#include \"nothing.clh\"\n", "t.cl"))
            .find("#error include \"nothing.clh\" is not there: its source was given no folders to include from, chain "
                  "\"t.cl\"\n") != std::string::npos);
}

TEST_CASE("what an include must not read is refused with place and chain, and nothing of it is shown", "[source]") {
  const Tree tree;
  tree.write("secret", "not for you\n");
  tree.write("k/main.cl", "\n#include \"a.clh\"\n");
  fs::create_directory("k/folder");
  REQUIRE(::mkfifo("k/fifo", 0600) == 0);
  fs::create_symlink("../secret", "k/link");
  fs::create_symlink("..", "k/up");
  fs::create_symlink("/dev/zero", "k/device");
  fs::create_symlink("circle", "k/circle");
  tree.write("k/large", std::string((std::size_t{16} << 20) + 1, '\n'));
  const auto [line, why] = GENERATE(table<std::string, std::string>(
      {{"#include \"/etc/passwd\"",
        "/etc/passwd is an absolute path; name the file from a folder that includes are read from"},
       {"#include </etc/passwd>",
        "/etc/passwd is an absolute path; name the file from a folder that includes are read from"},
       {"#include \"folder\"", "folder is not read: 'k/folder' is a folder"},
       {"#include \"fifo\"", "fifo is not read: 'k/fifo' is not a plain file"},
       {"#include \"link\"", "link is not read: 'k/link' is reached by a symbolic link that leaves the folder"},
       {"#include \"up/secret\"",
        "up/secret is not read: 'k/up/secret' is reached by a symbolic link that leaves the folder"},
       {"#include \"device\"", "device is not read: 'k/device' is reached by a symbolic link that leaves the folder"},
       {"#include \"circle\"", "circle is not read: 'k/circle' is reached by too many symbolic links"},
       {"#include \"large\"", "large is not read: 'k/large' has over 16777216 bytes"}}));
  tree.write("k/a.clh", "//\n" + line + "\n");

  CHECK(refusal("k/main.cl") == "k/a.clh:2: #include " + why + " (chain: k/main.cl -> k/a.clh)");
}

TEST_CASE("the file itself must be a plain one below its folder", "[source]") {
  const Tree tree;
  tree.write("secret", "not for you\n");
  fs::create_directory("k");
  fs::create_symlink("../secret", "k/link.cl");
  REQUIRE(::mkfifo("k/fifo.cl", 0600) == 0);
  tree.write("k/large.cl", std::string((std::size_t{16} << 20) + 1, '\n'));

  CHECK(refusal("k/none.cl") == "there is no kernel source 'k/none.cl'");
  CHECK(refusal("none/none.cl") == "cannot open folder 'none': No such file or directory");
  CHECK(refusal("") == "there is no kernel source ''");
  CHECK(refusal("k\n/none.cl") == "cannot open folder 'k?': No such file or directory");
  CHECK(refusal("k/a\n.cl") == "there is no kernel source 'k/a?.cl'");
  CHECK(refusal("k") == "kernel source 'k' is a folder");
  CHECK(refusal("k/fifo.cl") == "kernel source 'k/fifo.cl' is not a plain file");
  CHECK(refusal("k/link.cl") == "kernel source 'k/link.cl' is reached by a symbolic link that leaves the folder");
  CHECK(refusal("k/large.cl") == "kernel source 'k/large.cl' has over 16777216 bytes");
  CHECK_THROWS_AS(Source::from_file("k/none.cl"), IoError);
}

TEST_CASE("one file is one file under all its names", "[source]") {
  const Tree tree;
  tree.write("k/once.clh", "#pragma once\nonce;\n");
  fs::create_symlink("once.clh", "k/again.clh");
  fs::create_hard_link("k/once.clh", "k/hard.clh");
  tree.write("k/main.cl",
             "#include \"once.clh\"\n#include \"again.clh\"\n#include \"hard.clh\"\n#include \"k/once.clh\"\n");
  tree.write("k/ring.cl", "#include \"ring_link.clh\"\n");
  fs::create_symlink("ring.cl", "k/ring_link.clh");

  const std::string text = text_of(Source::from_file("k/main.cl", {"."}));

  CHECK(text.find("once;") == text.rfind("once;"));
  CHECK(refusal("k/ring.cl") ==
        "k/ring.cl:1: #include ring_link.clh includes itself; put #pragma once into it (chain: k/ring.cl)");
}

TEST_CASE("lines of included files are found by the names that messages have", "[source]") {
  const Tree tree;
  tree.write("it's \"k\"/main.cl", "one\n#include \"a.clh\"\n");
  tree.write("it's \"k\"/a.clh", "first\nsecond\n");

  const Source source = Source::from_file("it's \"k\"/main.cl");

  CHECK(detail::source_line(source, "it's _k_/main.cl", 1) == "one");
  CHECK(detail::source_line(source, "it's _k_/a.clh", 2) == "second");
  CHECK(detail::source_line(source, "a.clh", 2).empty());
  CHECK(detail::source_line(source, "secret", 1).empty());
}

TEST_CASE("includes of a source are read once, whoever asks first", "[source]") {
  static const std::vector<EmbeddedFile> files{{"a.clh", "int a;\n", ""}};
  const EmbeddedFile main{"main.cl", "#include \"a.clh\"\n", ""};
  const Source source(main, files);
  std::vector<std::thread> threads;
  std::vector<Source> copies(8, Source(""));

  for (std::size_t i = 0; i < copies.size(); ++i)
    threads.emplace_back([&, i] { copies[i] = detail::with_includes(source); });
  for (std::thread& thread : threads) thread.join();

  const auto expanded = source.expansion().get();
  REQUIRE(expanded != nullptr);
  CHECK(detail::with_includes(source).expansion().get() == expanded);
  CHECK(Source(source).expansion().get() == expanded);
  for (const Source& copy : copies) CHECK(detail::expand(copy, {}) == expanded->text);
}

TEST_CASE("trees of includes come out as a preprocessor has them", "[source]") {
  if (test::run_child("cpp", {"--version"}).exit_code != 0) ANYCL_SKIP("there is no cpp");
  const Tree tree;
  test::Random random(11);
  const std::vector<std::string> folders{"main", "main/sub", "inc", "inc/sub", "more"};
  std::size_t compared = 0;
  for (int round = 0; round < 40; ++round) {
    for (const std::string& folder : folders) fs::remove_all(folder);
    for (const std::string& folder : folders) fs::create_directories(folder);
    const auto written = [&](int number) {  // a file may include those of higher numbers: no cycles
      std::string text = random.below(3) == 0 ? "#pragma once\n" : "";
      for (std::size_t i = 0, lines = random.below(4); i < lines; ++i) {
        const std::string wanted = "f" + std::to_string(number + 1 + static_cast<int>(random.below(4)));
        const std::string begin[] = {"", "sub/", "../", "./", "sub/../"};
        text += "#include \"" + begin[random.below(5)] + wanted + "\"\n";
        text += "line " + std::to_string(number) + " /* #include \"none\" */\n";
      }
      return text + "end " + std::to_string(number) + "\n";
    };
    tree.write("main/f0", written(0));
    for (int number = 1; number < 12; ++number)
      for (const std::string& folder : folders)
        if (random.below(2) == 0)
          tree.write(folder + "/f" + std::to_string(number), "// " + folder + "\n" + folder + "\n" + written(number));

    const std::string ours = refusal("main/f0", {"inc", "more", "."});
    REQUIRE(ours.starts_with("no error"));
    if (ours.find("#error") != std::string::npos) continue;  // cpp stops there
    tree.write("ours", text_of(Source::from_file("main/f0", {"inc", "more", "."})));
    const std::string want = preprocessed({"-Imain", "-Iinc", "-Imore", "-I.", "main/f0"});
    CAPTURE(round, want);
    CHECK(preprocessed({"ours"}) == want);
    ++compared;
  }
  CHECK(compared > 10);
}
