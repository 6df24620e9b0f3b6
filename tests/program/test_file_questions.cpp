// Needs: no driver
#include "program/file_questions.hpp"

#include <string>
#include <vector>

#include "anycl/base/error.hpp"
#include "anycl/program/build_options.hpp"
#include "program/include_expander.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"

using namespace anycl;

namespace {

/// Empty for a text that is let through.
std::string refusal(const std::string& text, const BuildOptions& options = {}) {
  try {
    static_cast<void>(detail::expand(Source(text, "t.cl"), options));
    return {};
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a word about files that ## could make is refused, however its parts come together", "[file_questions]") {
  const auto text =
      GENERATE(as<std::string>{}, "#if __has_##include(\"/etc/passwd\")\n",
               "#define C(a, b) a##b\n#if C(__has_, include)(\"x\")\n",
               "#define D(a, b) C(a, b)\n#define HAS __has_\n#define C(a, b) a %:%: b\n",
               "#define U __\n#define C(a) U ## a\n", "int _; /* ## */ int b; int c = b##c;\n",
               "_Pra##gma(\"GCC dep\")\n", "#define P _P\nP##ragma\n", "a##\\\nb __ha\\\ns\n", "__has_in\nx##y\n");

  CAPTURE(text);
  CHECK(refusal(text).find("could make a word that asks for files of the machine from '_") != std::string::npos);
}

TEST_CASE("the refusal names all places that come together", "[file_questions]") {
  CHECK(refusal("a\nb##c\n__has_\n") ==
        "t.cl:3: ## (t.cl:2) could make a word that asks for files of the machine from '__has_' (t.cl:3); rename that");
  CHECK(refusal("int module;\n#define P(x) _Pragma(#x)\n") ==
        "t.cl:2: _Pragma (t.cl:2) could ask for files of the machine with 'module' (t.cl:1); write the text of _Pragma "
        "out "
        "between quotes");
}

TEST_CASE("a pragma that looks for a file is refused, written out or computed", "[file_questions]") {
  const auto text = GENERATE(as<std::string>{}, "#pragma GCC dependency \"x\"\n", "#pragma clang dependency \"x\"\n",
                             "%: pragma clang module build x\n", "#pragma clang module import x\n",
                             "#pragma clang/**/module load x\n", "_Pragma(\"clang dependency \\\"x\\\"\")\n",
                             "_Pragma ( L\"GCC/**/dependency \\\"x\\\"\" )\n", "_Pragma(\"clang module import x\")\n",
                             "#define P(x) _Pragma(#x)\n#define Q(a, b) P(a b)\nQ(GCC, dependency \"x\")\n",
                             "#define P _Pragma\n#define S(x) #x\nP(S(clang dependency))\n",
                             "#define P(x) _Pragma(#x)\n#define C(a, b) a##b\nP(clang C(mod, ule))\n");

  CAPTURE(text);
  CHECK(refusal(text).find("files of the machine") != std::string::npos);
}

TEST_CASE("inline assembly is refused: the assembler reads any file", "[file_questions]") {
  const auto word = GENERATE(as<std::string>{}, "asm", "__asm", "__asm__", "__as\\\nm__");

  CHECK(refusal("kernel void k() { " + word + " volatile(\".include \\\"/etc/passwd\\\"\"); }\n")
            .find("is not supported: inline assembly is not OpenCL C, and can read files of the machine") !=
        std::string::npos);
}

TEST_CASE("assembly that ## makes is no keyword any more", "[file_questions]") {
  const std::string text = detail::expand(Source("#define C(a, b) a##b\nC(as, m)(\"\");\n", "t.cl"), {});

  CHECK(text.starts_with("#define asm inline_assembly_is_not_supported\n"));
  CHECK(text.find("#define __asm__ ") < text.find("#line 1"));
  CHECK(refusal("#define C(a, b) a##b\n#undef asm\n").find("t.cl:2: asm is not supported") == 0);
}

TEST_CASE("definitions and text are judged together", "[file_questions]") {
  const auto with = [](const char* name, const char* value) {
    BuildOptions options;
    options.define(name, value);
    return options;
  };
  CHECK(refusal("#define C(a, b) a##b\n", with("H", "__has_")).starts_with("define H: ## (t.cl:1) could make"));
  CHECK(refusal("x\n", with("H", "__has_")).empty());
  CHECK(refusal("x\n", with("A", "__asm__")).starts_with("define A: __asm__ is not supported"));
  CHECK(refusal("#define P(x) _Pragma(#x)\n", with("M", "module")).starts_with("define M: _Pragma"));
}

TEST_CASE("ordinary use of macros, pragmas and names is let through", "[file_questions]") {
  const auto text = GENERATE(
      as<std::string>{}, "#define VLOAD(n) vload##n\n#define a_ 1\nint asm_volatile, m, d, has_include;\n",
      "_Pragma(\"unroll\") for (;;) {}\n", "#define P(x) _Pragma(#x)\nP(unroll 4)\n", "#pragma unroll 4\nint module;\n",
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n", "#pragma clang loop unroll(full)\n#pragma GCC ivdep\n",
      "int dependency, module, _, __h;\n", "// __has_ ## include asm\n",
      "constant char* s = \"__asm__ ## _Pragma module\";\n", "#define T_(x) _##x\n#define __hash(x) x##_Pragmatic\n");
  const bool has_a_lone_stem = text.find(" _##x") != std::string::npos;

  CAPTURE(text, refusal(text));
  CHECK(refusal(text).empty() != has_a_lone_stem);
}

TEST_CASE("what is let through makes no word about files in a preprocessor", "[file_questions]") {
  if (test::run_child("cpp", {"--version"}).exit_code != 0) ANYCL_SKIP("there is no cpp");
  const test::Folder folder;
  test::Random random(5);
  const std::vector<std::string> words{
      "_", "__", "__has_", "has_",       "include",  "_Pragma", "_Pra", "gma", "GCC", "clang", "de", "dep",
      "x", "as", "m",      "dependency", "pendency", "module",  "mod",  "ule", "h",   "A",     "B"};
  const auto word = [&] { return words[random.below(words.size())]; };
  std::size_t let_through = 0;
  std::size_t with_pasting = 0;
  const int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    std::string text =
        "#define C(a, b) a##b\n#define D(a, b) C(a, b)\n#define P(a) _Pragma(#a)\n#define Q(a, b) P(a b)\n";
    if (random.below(2) == 0) text.erase(0, text.find("#define P"));  // without ##
    const std::string macros = text.starts_with("#define C") ? "CDPQ" : "PQ";
    if (random.below(3) == 0) text.erase(text.find("#define P"));
    text += "#define A " + word() + "\n";
    for (int line = 0; line < 3; ++line) {
      const std::string macro(1, macros[random.below(macros.size())]);
      text += macro == "P" ? "P(" + word() + " " + word() + ")\n" : macro + "(" + word() + ", " + word() + ")\n";
    }
    if (!refusal(text).empty()) continue;
    ++let_through;
    with_pasting += text.find("##") != std::string::npos ? 1 : 0;
    test::write_file(folder.file("t.c"), detail::expand(Source(text, "t.cl"), {}));
    const std::string got = test::run_child("cpp", {"-P", "-w", "-undef", folder.file("t.c")}).output;
    CAPTURE(text, got);
    CHECK(got.find("__has_include") == std::string::npos);
    CHECK(got.find("GCC dependency") == std::string::npos);
    CHECK(got.find("clang dependency") == std::string::npos);
    CHECK(got.find("clang module") == std::string::npos);
    CHECK(("\n" + got).find("\nasm") == std::string::npos);
  }
  CHECK(let_through > 50);
  CHECK(with_pasting > 10);
}
