// Needs: a driver with compiler, threads
#include "program/include_expander.hpp"

#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/random.hpp"

using namespace anycl;
using detail::expand;

namespace {

/// `text` as file "main.cl" among `files`.
std::string expanded(std::string_view text, const std::vector<EmbeddedFile>& files) {
  const EmbeddedFile main{"main.cl", text, ""};
  return expand(Source(main, files), {});
}

std::string refusal(std::string_view text, const std::vector<EmbeddedFile>& files = {}) {
  try {
    return "no error, but: " + expanded(text, files);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

const std::vector<EmbeddedFile> kFiles{
    {"a.clh", "int a;\n", ""},
    {"folder/b.clh", "#include \"a.clh\"\nint b;\n", ""},
    {"once.clh", "#pragma once\nint once;\n", ""},
    {"self.clh", "#include \"self.clh\"\n", ""},
    {"ping.clh", "#include \"pong.clh\"\n", ""},
    {"pong.clh", "#include \"ping.clh\"\n", ""},
    {"ring.clh", "#pragma once\n#include \"round.clh\"\nint ring;\n", ""},
    {"round.clh", "#pragma once\n#include \"ring.clh\"\nint round_;\n", ""},
    {"tail.clh", "int no_line_end;", ""},
    {"empty.clh", "", ""},
    {"wants_more.clh", "// one\n// two\n#include \"missing.clh\"\n", ""},
};

/// What the compiler says of kernel `k` of `source` when it is first launched; empty when it says nothing.
std::string build_error(test::Rig& rig, const Source& source, const BuildOptions& options = {}) {
  const Kernel kernel(rig.context, source, "k", options);
  Buffer<int> out(rig.context, 1);
  try {
    launch(rig.queue, kernel, 1, out);
  } catch (const BuildError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("an include is replaced by its file between line markers", "[program][include_expander]") {
  CHECK(expanded("one;\n#include \"a.clh\"\ntwo;\n", kFiles) ==
        "#line 1 \"main.cl\"\none;\n#line 1 \"a.clh\"\nint a;\n#line 3 \"main.cl\"\ntwo;\n");
}

TEST_CASE("a file beside the including one comes before one from the root", "[program][include_expander]") {
  const std::vector<EmbeddedFile> files{{"a.clh", "root\n", ""},
                                        {"folder/a.clh", "beside\n", ""},
                                        {"folder/b.clh", "#include \"a.clh\"\n#include \"../a.clh\"\n", ""}};

  const std::string text = expanded("#include \"folder/b.clh\"\n", files);

  CHECK(text.find("beside\n") < text.find("root\n"));
  CHECK(text.find("root\n") != std::string::npos);
}

TEST_CASE("includes nest", "[program][include_expander]") {
  CHECK(expanded("#include <folder/b.clh>\n", kFiles) ==
        "#line 1 \"main.cl\"\n#line 1 \"folder/b.clh\"\n#line 1 \"a.clh\"\nint a;\n#line 2 \"folder/b.clh\"\nint b;\n"
        "#line 2 \"main.cl\"\n");
}

TEST_CASE("every way of writing an include is understood", "[program][include_expander]") {
  const auto line =
      GENERATE(as<std::string>{}, "#include \"a.clh\"", "#include <a.clh>", "#include\"a.clh\"",
               " \t# \t include \t \"a.clh\"  ", "#include \"a.clh\" // why", "#include \"a.clh\" /* why */",
               "/* before */ #include \"a.clh\"", "# /* amid */ include \"a.clh\"", "#include /* amid */ \"a.clh\"",
               "%:include \"a.clh\"", "#inc\\\nlude \"a.clh\"", "#\\\ninclude \"a.clh\"", "#include \\\n\"a.clh\"",
               "#include \\  \n\"a.clh\"", "/* over\nlines */ #include \"a.clh\"");

  const std::string text = expanded(line + "\nend;\n", kFiles);

  CAPTURE(line, text);
  CHECK(text.find("int a;\n") != std::string::npos);
  CHECK(text.find("a.clh\"\nint a;\n#line ") != std::string::npos);
  CHECK(text.find("include") == std::string::npos);
  CHECK(text.ends_with("end;\n"));
}

TEST_CASE("a trigraph is refused: compilers disagree on what it is", "[program][include_expander]") {
  const auto text = GENERATE(as<std::string>{}, "\n?\?=include \"a.clh\"\n", "\n// open ?\?/\n#include \"a.clh\"\n",
                             "\n\"?\?/\"\" /*\"\n", "\n?\?' ' /*\n", "\n??\?/\n");

  CHECK(refusal(text, kFiles) == "main.cl:2: trigraphs are not supported");
  CHECK(expanded("a ?\? b ?\?< c ?\?\n", kFiles) == "#line 1 \"main.cl\"\na ?\? b ?\?< c ?\?\n");
}

TEST_CASE("what only looks like an include is left as it is", "[program][include_expander]") {
  const auto text = GENERATE(as<std::string>{}, "// #include \"a.clh\"\n", "/* #include \"a.clh\" */\n",
                             "/*\n#include \"a.clh\"\n*/\n", "x; /* open\n#include \"a.clh\"\n*/ y;\n",
                             "constant char* s = \"#include \\\"a.clh\\\"\";\n", "// comment \\\n#include \"a.clh\"\n",
                             "/* \"not a string\n#include \"a.clh\"\n*/\n", "#define include_a 1\n",
                             "x #include \"a.clh\"\n", "#if 0\n#included\n#endif\n");

  CHECK(expanded(text, kFiles) == "#line 1 \"main.cl\"\n" + text);
}

TEST_CASE("a comment mark inside a literal opens no comment", "[program][include_expander]") {
  const auto text = GENERATE(as<std::string>{}, "constant char* s = \"/*\";\n#include \"a.clh\"\n",
                             "char c = '\"'; // \"\n#include \"a.clh\"\n", "char c = '\\''; /**/\n#include \"a.clh\"\n",
                             "constant char* s = \"\\\"/*\";\n#include \"a.clh\"\n", "// /*\n#include \"a.clh\"\n",
                             "/*/ */\n#include \"a.clh\"\n");

  CHECK(expanded(text, kFiles).find("int a;") != std::string::npos);
}

TEST_CASE("a file with #pragma once goes in once, others each time", "[program][include_expander]") {
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };

  const std::string text =
      expanded("#include \"once.clh\"\n#include \"once.clh\"\n#include \"a.clh\"\n#include \"a.clh\"\n", kFiles);

  CHECK(count(text, "int once;") == 1);
  CHECK(count(text, "int a;") == 2);
  CHECK(text.find("pragma") == std::string::npos);
}

TEST_CASE("files with #pragma once may include one another", "[program][include_expander]") {
  const std::string text = expanded("#include \"ring.clh\"\n", kFiles);

  CHECK(text.find("int ring;") != std::string::npos);
  CHECK(text.find("int round_;") != std::string::npos);
}

TEST_CASE("an include that is not there becomes an #error at its place, with its chain",
          "[program][include_expander]") {
  CHECK(expanded("int x;\n#include \"nothing.clh\"\nint y;\n", kFiles) ==
        "#line 1 \"main.cl\"\nint x;\n#line 2 \"main.cl\"\n"
        "#error include \"nothing.clh\" is not among the embedded files, chain \"main.cl\"\n"
        "#line 3 \"main.cl\"\nint y;\n");
  CHECK(expanded("#include <wants_more.clh>\n", kFiles)
            .find("#line 3 \"wants_more.clh\"\n#error include \"missing.clh\" is not among the embedded files, chain "
                  "\"main.cl -> wants_more.clh\"\n#line 4 \"wants_more.clh\"\n") != std::string::npos);
  CHECK(expanded("/*\n*/ #inc\\\nlude <cstdint> /*\n*/ end;\n", kFiles) ==
        "#line 1 \"main.cl\"\n/*\n*/\n#line 2 \"main.cl\"\n"
        "#error include \"cstdint\" is not among the embedded files, chain \"main.cl\"\n"
        "#line 4 \"main.cl\"\n/**/ end;\n");
}

TEST_CASE("the name of a file that is not there cannot break out of its #error", "[program][include_expander]") {
  const auto line = GENERATE(as<std::string>{}, "#include \"a\\\" /*\"", "#include \"x/*\"", "#include <\"'>",
                             "#include \"'\"", "#include <a\\>");

  const std::string text = expanded(line + "\nend;\n", kFiles);

  CAPTURE(text);
  CHECK(text.find('\\') == std::string::npos);
  CHECK(text.find(" is not among the embedded files, chain \"main.cl\"\n#line 2 \"main.cl\"\nend;\n") !=
        std::string::npos);
}

TEST_CASE("a header shared with the host builds: what the compiler skips is never missed",
          "[program][include_expander]") {
  static const std::vector<EmbeddedFile> files{
      {"shared.h", "#pragma once\n#ifndef __OPENCL_VERSION__\n#include <cstdint>\n#include \"host's.hpp\"\n#endif\n",
       ""}};
  static const EmbeddedFile main{"shared.cl", "#include \"shared.h\"\nkernel void k(global int* x) { *x = 5; }\n", ""};

  test::for_each_device([](test::Rig& rig) {
    Buffer<int> out(rig.context, 1);

    launch(rig.queue, Kernel(rig.context, Source(main, files), "k"), 1, out);

    CHECK(to_host(out).front() == 5);
  });
}

TEST_CASE("an include that is not there and is needed is a build error with file and line",
          "[program][include_expander]") {
  static const std::vector<EmbeddedFile> files{{"middle.clh", "// one\n#include <cstdint>\n", ""}};
  static const EmbeddedFile main{"needs.cl", "#include \"middle.clh\"\nkernel void k(global int* x) { *x = 5; }\n", ""};

  test::for_each_device([](test::Rig& rig) {
    const std::string text = build_error(rig, Source(main, files));

    CAPTURE(text);
    CHECK(text.find("middle.clh:2: include \"cstdint\" is not among the embedded files") != std::string::npos);
  });
}

TEST_CASE("a cycle is an error with its chain", "[program][include_expander]") {
  CHECK(refusal("#include \"self.clh\"\n", kFiles) ==
        "self.clh:1: #include self.clh includes itself; put #pragma once into it (chain: main.cl -> self.clh)");
  CHECK(refusal("#include \"ping.clh\"\n", kFiles) ==
        "pong.clh:1: #include ping.clh includes itself; put #pragma once into it "
        "(chain: main.cl -> ping.clh -> pong.clh)");
}

TEST_CASE("an include that names no file is refused", "[program][include_expander]") {
  const auto text =
      GENERATE(as<std::string>{}, "#include\n", "#include MACRO\n", "#include \"open\n", "#include <open\n",
               "#include // \"a.clh\"\n", "#include_next \"a.clh\"\n", "#import \"a.clh\"\n");

  CHECK(refusal(text, kFiles).find("main.cl:1: #") == 0);
}

TEST_CASE("no way of writing it reads a file of the machine", "[program][include_expander]") {
  const auto text = GENERATE(
      as<std::string>{}, "#include \"/etc/passwd\"\n", "/**/#include \"/etc/passwd\"\n", "%:include \"/etc/passwd\"\n",
      "?\?=include \"/etc/passwd\"\n", "#\\\ninclude </etc/passwd>\n", "#in?\?/\nclude </etc/passwd>\n",
      "#/**/include \"/etc/passwd\"\n", "#import \"/etc/passwd\"\n", "#include_next \"/etc/passwd\"\n",
      "#define F \"/etc/passwd\"\n#include F\n", "#include \"../../../etc/passwd\"\n",
      "/*\n*/ # include \"/etc/passwd\"\n", "#include \"/etc/passwd\"\r\n", "\v#include \"/etc/passwd\"\n",
      "\f # \f include \"/etc/passwd\"\n", "x\r#include \"/etc/passwd\"\n", "#embed \"/etc/passwd\"\n",
      "\u00a0#include \"/etc/passwd\"\n", "#\u3000include \"/etc/passwd\"\n", "#include\u2003\"/etc/passwd\"\n",
      "/**/\u00a0/**/ # include \"/etc/passwd\"\n", "#\\\n\u00a0include \"/etc/passwd\"\n");

  const std::string refused_or_text = refusal(text, kFiles);

  CAPTURE(text, refused_or_text);
  const bool replaced = refused_or_text.find("\n#error include \"") != std::string::npos &&
                        refused_or_text.find("#include") == std::string::npos;
  CHECK((refused_or_text.starts_with("main.cl:") || replaced));
}

TEST_CASE("a byte that only some compilers take for a blank is refused where it could be one",
          "[program][include_expander]") {
  CHECK(refusal("int x;\n\u00a0#include \"/etc/passwd\"\n") ==
        "main.cl:2: byte 0xc2 is not ASCII; only comments and literals may have such characters");
  CHECK(refusal("#include \"a.clh\"\n\u3000\n", kFiles).starts_with("main.cl:2: byte 0xe3 is not ASCII"));
  CHECK(refusal("x = 'a'\xff;\n").starts_with("main.cl:1: byte 0xff is not ASCII"));
  CHECK(refusal("x = \"\u00e9\" \u00e9;\n").starts_with("main.cl:1: byte 0xc3 is not ASCII"));
}

TEST_CASE("comments and literals may be in any language", "[program][include_expander]") {
  const auto text = GENERATE(as<std::string>{}, "// \u00e9\u3000\n", "/* \u00e9\n\u00a0 */ x;\n", "x; // \\\n\u00a0\n",
                             "constant char* s = \"\u00e9\\\"\u00e9\";\n", "char c = '\xe9';\n");

  CHECK(expanded(text, kFiles) == "#line 1 \"main.cl\"\n" + text);
}

TEST_CASE("asking the compiler about files of the machine is refused", "[program][include_expander]") {
  const auto text = GENERATE(
      as<std::string>{}, "#if __has_include(\"/etc/passwd\")\n", "#define H __has_include\n",
      "#if __has_include_next(</etc/passwd>)\n", "#if __has_inc\\\nlude(</etc/passwd>)\n", "#if __has_embed(<a>)\n",
      "#pragma GCC dependency \"/etc/passwd\"\n", "#pragma GCC\t/**/ dependency </etc/passwd>\n",
      "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n", "%:pragma GCC de\\\npendency \"/etc/passwd\"\n");

  const std::string message = refusal("\n" + text, kFiles);

  CAPTURE(text, message);
  CHECK(message.starts_with("main.cl:2: "));
  CHECK(message.ends_with("is not supported: it asks for files of the machine"));
}

TEST_CASE("a definition cannot ask about files of the machine either", "[program][include_expander]") {
  BuildOptions options;
  options.define("ASK", "__has_include");

  CHECK_THROWS_WITH(expand(Source("x\n"), options),
                    "define ASK: __has_include is not supported: it asks for files of the machine");
}

TEST_CASE("words that only resemble those about files are left as they are", "[program][include_expander]") {
  const auto text = GENERATE(as<std::string>{}, "// __has_include\n", "/* #pragma GCC dependency */\n",
                             "#pragma GCC ivdep\n", "int GCC; int dependency;\n", "#ifdef __has_attribute\n#endif\n");

  CHECK(expanded(text, kFiles) == "#line 1 \"main.cl\"\n" + text);
}

TEST_CASE("includes that grow without bound are refused", "[program][include_expander]") {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  const int last = 100;
  for (int i = 0; i <= last; ++i) names.push_back("f" + std::to_string(i));
  const auto includes_of_next = [&](int times) {
    texts.assign(names.size(), "");
    std::vector<EmbeddedFile> files;
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      for (int time = 0; time < times; ++time) texts[i] += "#include \"" + names[i + 1] + "\"\n";
    for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], texts[i], ""});
    return files;
  };

  SECTION("in depth") {
    const auto files = includes_of_next(1);

    CHECK(refusal("#include \"f38\"\n", files).starts_with("no error"));
    CHECK(refusal("#include \"f37\"\n", files)
              .starts_with("f99:1: #include f100 is nested deeper than 64 files (chain: main.cl -> f37 -> "));
  }
  SECTION("in size") {
    const auto files = includes_of_next(2);

    CHECK(refusal("#include \"f75\"\n", files).find("the text with its includes is over 16777216 bytes") !=
          std::string::npos);
  }
  SECTION("by one file") {
    const std::string big(std::size_t{16} << 20, '\n');

    CHECK(refusal("x\n" + big).find("the text with its includes is over 16777216 bytes") != std::string::npos);
  }
}

TEST_CASE("line ends of every kind, or none at the end, keep the line numbers", "[program][include_expander]") {
  CHECK(expanded("one;\r\n#include \"a.clh\"\r\ntwo;\r\n", kFiles) ==
        "#line 1 \"main.cl\"\none;\n#line 1 \"a.clh\"\nint a;\n#line 3 \"main.cl\"\ntwo;\n");
  CHECK(expanded("#include \"tail.clh\"\nx", kFiles) ==
        "#line 1 \"main.cl\"\n#line 1 \"tail.clh\"\nint no_line_end;\n#line 2 \"main.cl\"\nx\n");
  CHECK(expanded("// open \\", kFiles) == "#line 1 \"main.cl\"\n// open \\\n\n");
  CHECK(expanded("#include \"empty.clh\"", kFiles) ==
        "#line 1 \"main.cl\"\n#line 1 \"empty.clh\"\n#line 2 \"main.cl\"\n");
  CHECK(expanded("", kFiles) == "#line 1 \"main.cl\"\n");
  CHECK(expanded("\n\n", kFiles) == "#line 1 \"main.cl\"\n\n\n");
}

TEST_CASE("a comment that spans an include stays closed and open where it was", "[program][include_expander]") {
  CHECK(expanded("/* one\n*/ #include \"a.clh\" /* two\n*/ end;\n", kFiles) ==
        "#line 1 \"main.cl\"\n/* one\n*/\n#line 1 \"a.clh\"\nint a;\n#line 3 \"main.cl\"\n/**/ end;\n");
}

TEST_CASE("a comment that is not closed cannot swallow what follows the file", "[program][include_expander]") {
  const std::vector<EmbeddedFile> files{{"open.clh", "int x; /* open\n", ""}};

  CHECK(refusal("#include \"open.clh\"\nint y;\n", files) == "open.clh: a comment is not closed");
}

TEST_CASE("definitions come first, sorted, and do not shift the source's lines", "[program][include_expander]") {
  BuildOptions options;
  options.define("ZED", "a, b \"c\" {d}").define("ALPHA", 3);

  CHECK(expand(Source("x\n"), options) == "#define ALPHA 3\n#define ZED a, b \"c\" {d}\n#line 1 \"source\"\nx\n");
}

TEST_CASE("a source with a zero byte is refused, an included one too", "[program][include_expander]") {
  const std::vector<EmbeddedFile> files{{"zero.clh", std::string_view("// a\0b\n", 7), ""}};

  CHECK_THROWS_WITH(expand(Source(std::string("a\0b", 3), "zero.cl"), {}), "zero.cl: kernel source has a zero byte");
  CHECK(refusal("#include \"zero.clh\"\n", files) == "zero.clh: kernel source has a zero byte");
}

TEST_CASE("a source's name cannot break out of its line marker", "[program][include_expander]") {
  const std::string text = expand(Source("x\n", "na\"me\n#include \\"), {});

  CHECK(text == "#line 1 \"na_me_#include _\"\nx\n");
}

TEST_CASE("lines are found again by file and number", "[program][include_expander]") {
  const EmbeddedFile main{"main.cl", "one\ntwo\r\nthree", ""};
  const Source source(main, kFiles);

  CHECK(detail::source_line(source, "main.cl", 1) == "one");
  CHECK(detail::source_line(source, "main.cl", 2) == "two");
  CHECK(detail::source_line(source, "main.cl", 3) == "three");
  CHECK(detail::source_line(source, "main.cl", 4).empty());
  CHECK(detail::source_line(source, "main.cl", 0).empty());
  CHECK(detail::source_line(source, "a.clh", 1) == "int a;");
  CHECK(detail::source_line(source, "other", 1).empty());
}

TEST_CASE("any text expands or is refused in one line", "[program][include_expander]") {
  test::Random random(3);
  const std::string alphabet = "#%:?=/\\*\"'<> \t\r\nincludepragmaonce.";
  for (int round = 0; round < 5000; ++round) {
    const std::string text = random.text(random.below(80), alphabet);
    std::string result = "#line 1";
    try {
      result = expanded(text, kFiles);
    } catch (const InvalidArgument&) {}  // anything else ends the test
    CHECK(result.find("#line 1") != std::string::npos);
  }
}

TEST_CASE("an error inside an included file is reported with that file and line", "[program][include_expander]") {
  static const std::vector<EmbeddedFile> files{
      {"deep.clh", "// fine\n\nint broken(int x) { return no_such_thing; }\n", ""},
      {"middle.clh", "// one\n// two\n#include \"deep.clh\"\n", ""},
  };
  static const EmbeddedFile main{"main.cl", "#include \"middle.clh\"\nkernel void k(global int* x) { *x = 1; }\n", ""};

  test::for_each_device([](test::Rig& rig) {
    const std::string text = build_error(rig, Source(main, files));

    CAPTURE(text);
    CHECK(text.find("deep.clh:3: ") != std::string::npos);
    CHECK(text.find("\n  int broken(int x) { return no_such_thing; }") != std::string::npos);
  });
}

TEST_CASE("an error after an include is reported with its own line", "[program][include_expander]") {
  static const std::vector<EmbeddedFile> files{{"long.clh", "#pragma once\n// 2\n// 3\n// 4\nint f(int x);\n", ""}};
  static const EmbeddedFile main{"after.cl",
                                 "#include \"long.clh\"\n#include \"long.clh\"\nkernel void k(global int* x) {\n"
                                 "  *x = oops;\n}\n",
                                 ""};
  BuildOptions options;
  options.define("A").define("B").define("C");

  test::for_each_device([&](test::Rig& rig) {
    const std::string text = build_error(rig, Source(main, files), options);

    CAPTURE(text);
    CHECK(text.find("after.cl:4: ") != std::string::npos);
  });
}
