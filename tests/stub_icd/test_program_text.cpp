// Needs: no driver
#include "stub_icd/driver/program_text.hpp"

#include <string>

#include "support/catch.hpp"

using namespace anycl;
using stub::check_tokens;
using stub::preprocess;
using stub::scan;
using stub::SourceError;
using stub::Token;

namespace {

std::string words(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

std::string processed(const std::string& source, const std::string& options = "") {
  return words(preprocess(source, options));
}

/// "file:line:column: message" of what is wrong with `source`.
std::string problem(const std::string& source) {
  try {
    check_tokens(preprocess(source, ""));
  } catch (const SourceError& error) {
    return error.place.file + ":" + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ": " +
           error.message;
  }
  return "none";
}

}  // namespace

TEST_CASE("text is cut into tokens, without comments and joined lines", "[stub_icd][program_text]") {
  CHECK(words(scan("a+=b1 /* c\n */ 0x1Fu;// d\n\"e // f\" 'g'")) == "a + = b1 0x1Fu ; \"e // f\" 'g'");
  CHECK(words(scan("// a \\\n b\nc")) == "c");
  CHECK(words(scan("\"a\\\"b\" c")) == "\"a\\\"b\" c");
  CHECK(scan("a \\\n b").size() == 2);
  CHECK_FALSE(scan("a \\\n b")[1].starts_line);
}

TEST_CASE("a token knows its line and column", "[stub_icd][program_text]") {
  const auto tokens = scan("a\n\t bc /*\n*/ d");

  REQUIRE(tokens.size() == 3);
  CHECK(tokens[1].place.line == 2);
  CHECK(tokens[1].place.column == 3);
  CHECK(tokens[2].place.line == 3);
  CHECK(tokens[2].place.column == 4);
}

TEST_CASE("macros without parameters are replaced, from the text and from options", "[stub_icd][program_text]") {
  CHECK(processed("#define N 4\n#define T float\nT x[N];") == "float x [ 4 ] ;");
  CHECK(processed("#define A B\n#define B 1 + 2\nA") == "1 + 2");
  CHECK(processed("#define A A\nA") == "A");
  CHECK(processed("#define F(x) x\nF(1)") == "F ( 1 )");
  CHECK(processed("#define P (1)\nP") == "( 1 )");
  CHECK(processed("#define N 4\n#undef N\nN") == "N");
  CHECK(processed("N T E", "-cl-fast -DN=3 -D T=int -DE") == "3 int 1");
  CHECK(processed("N", "-D") == "N");
}

TEST_CASE("conditions choose what is read", "[stub_icd][program_text]") {
  CHECK(processed("#ifdef X\na\n#else\nb\n#endif\nc") == "b c");
  CHECK(processed("#ifndef X\na\n#else\nb\n#endif\nc") == "a c");
  CHECK(processed("#define X 0\n#if X\na\n#elif 1\nb\n#else\nc\n#endif") == "b");
  CHECK(processed("#if defined(X)\na\n#elif !defined X\nb\n#endif") == "b");
  CHECK(processed("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif") == "c");
  CHECK(processed("#if !0\na\n#endif") == "a");
  CHECK(processed("#if A + B > 2\na\n#endif") == "a");
  CHECK(processed("#ifdef __OPENCL_VERSION__\na\n#endif") == "a");
  CHECK(processed("#if 0\n#define X 1\n#endif\nX") == "X");
  CHECK(processed("#endif\n#else\n#pragma once\n#\na") == "a");
}

TEST_CASE("#error fails where it is read and nowhere else", "[stub_icd][program_text]") {
  CHECK(problem("a\n#error no such luck\n") == "<source>:2:1: no such luck");
  CHECK(problem("#if 0\n#error never\n#endif\na") == "none");
}

TEST_CASE("#line moves the places that errors name", "[stub_icd][program_text]") {
  CHECK(problem("#line 7 \"b.cl\"\n\n#error x\n") == "b.cl:8:1: x");
  CHECK(problem("#line 7 \"b.cl\"\na\n#line 1 \"c.cl\"\n#error x\n") == "c.cl:1:1: x");
  CHECK(problem("#line 3\n#error x\n") == "<source>:3:1: x");
}

TEST_CASE("brackets must have partners", "[stub_icd][program_text]") {
  CHECK(problem("void f() { a[0] = (1); }") == "none");
  CHECK(problem("void f() {\n  a;\n") == "<source>:2:4: expected '}'");
  CHECK(problem("a }") == "<source>:1:3: extraneous '}'");
  CHECK(problem("f(a]") == "<source>:1:4: expected ')'");
}

TEST_CASE("what begins with undeclared is not declared", "[stub_icd][program_text]") {
  CHECK(problem("{\n\t*x = undeclared_thing;\n}") == "<source>:2:7: use of undeclared identifier 'undeclared_thing'");
}

TEST_CASE("comments and strings must end", "[stub_icd][program_text]") {
  CHECK(problem("a /* b") == "<source>:1:3: unterminated /* comment");
  CHECK(problem("a \"b\n\"") == "<source>:1:3: missing terminating \" character");
}
