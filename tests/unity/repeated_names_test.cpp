// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/repeated_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace flopsmith::test {
namespace {

std::string contents(const std::filesystem::path& path)
{
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

struct Target
{
    std::string name;
    std::vector<NamedSource> sources;
};

// Headers of the project that a text includes, and those that these include.
void addHeaders(const std::string& text,
                std::set<std::string>& headers,
                std::vector<NamedSource>& sources)
{
    static const std::string kInclude = "\n#include \"";
    for (std::size_t at = text.find(kInclude); at != std::string::npos;
         at = text.find(kInclude, at + 1)) {
        const std::size_t begin = at + kInclude.size();
        const std::string header = text.substr(begin, text.find('"', begin) - begin);
        const std::filesystem::path path = std::filesystem::path(FLOPSMITH_SOURCE_DIR) / header;
        if (header.ends_with(".h") && std::filesystem::exists(path)
            && headers.insert(header).second) {
            const std::string included = contents(path);
            sources.push_back(namedSource(path.string(), included));
            addHeaders(included, headers, sources);
        }
    }
}

// What Qt's moc writes has rules of its own.
bool isOfMoc(const std::string& path)
{
    return path.find("_autogen/") != std::string::npos;
}

// The build's list: "target name", then its files, one a line.
std::vector<Target> unityTargets()
{
    std::ifstream list(FLOPSMITH_UNITY_SOURCES);
    std::vector<Target> targets;
    std::set<std::string> headers;
    for (std::string line; std::getline(list, line);) {
        if (line.starts_with("target ")) {
            targets.push_back({line.substr(7), {}});
            headers.clear();
        } else if (line.ends_with(".cpp") && !isOfMoc(line) && std::filesystem::exists(line)) {
            const std::string text = contents(line);
            targets.back().sources.push_back(namedSource(line, text));
            addHeaders(text, headers, targets.back().sources);
        }
    }
    return targets;
}

TEST(UnitySources, DefineEachNameOnce)
{
    std::size_t sources = 0;
    std::size_t names = 0;
    for (const Target& target : unityTargets()) {
        for (const std::string& repeated : repeatedNames(target.sources)) {
            ADD_FAILURE() << target.name << " defines twice " << repeated;
        }
        sources += target.sources.size();
        for (const NamedSource& source : target.sources) {
            names += source.names.size();
        }
    }
    EXPECT_GT(sources, 1000U); // the list is whole
    EXPECT_GT(names, 3 * sources); // and what is in the files is seen
}

// Two sources within one namespace each, and whether they may be compiled as one.
void expectTogether(bool allowed, const std::string& a, const std::string& b)
{
    const auto source = [](const char* path, const std::string& text) {
        return namedSource(path, "namespace flopsmith {\n" + text + "\n}\n");
    };
    const std::vector<std::string> repeated = repeatedNames({source("a", a), source("b", b)});
    EXPECT_EQ(repeated.empty(), allowed) << a << "\nand\n" << b;
}

std::string local(const std::string& text)
{
    return "namespace {\n" + text + "\n}";
}

void expectRepeated(const std::string& a, const std::string& b)
{
    expectTogether(false, local(a), local(b));
    expectTogether(true, local(a), "namespace spectral {\n" + local(b) + "}");
}

void expectDifferent(const std::string& a, const std::string& b)
{
    expectTogether(true, local(a), local(b));
}

TEST(RepeatedNames, AreFoundInEveryKindOfDefinition)
{
    expectRepeated("constexpr int kRows = 3;", "const double kRows{4.0};");
    expectRepeated("constexpr std::array<int, 2> kRows = {1, 2};", "int kRows[] = {1};");
    expectRepeated("const QString kName(\"a\");", "const QString kName = text(1);");
    expectRepeated("std::atomic<bool> stopped;", "bool stopped = false;");
    expectRepeated("struct Row { int a; };", "class Row final : public Base<int> { int b(); };");
    expectRepeated("enum class Kind { a };", "enum class Kind : int { b };");
    expectRepeated("enum { first, second };", "enum Order { third, second };");
    expectRepeated("using Rows = std::vector<int>;", "using Rows = std::span<int>;");
    expectRepeated("template <class T> using Rows = T;", "template <class T> using Rows = T;");
    expectRepeated("typedef int Row; struct Kind {};", "struct Kind {};");
    expectRepeated("template <class T> struct Of { T t; };", "template <int n> struct Of {};");
    expectRepeated("template <class F> Of(F) -> Of<F>; int x = 1;", "int x = 2;");
    expectRepeated("struct rows {};", "int rows(int a) { return a; }");
    expectRepeated("MACRO(a) int x = 1;", "Q_DECLARE_METATYPE(flopsmith::B)\nint x = 2;");
    EXPECT_FALSE(repeatedNames({{"a", definedNames("#define ROWS 1\n")},
                                {"b", definedNames("# define ROWS 2")}})
                     .empty());
}

TEST(RepeatedNames, AreFoundInFunctions)
{
    const std::string rows = "int rows(const Table& table, int n = 3) { return n; }";
    expectRepeated(rows, "int rows(const Table& other, int) { return 1; }");
    expectRepeated(rows, "auto rows(const Table &, const int count) -> int { return 1; }");
    expectRepeated(rows,
                   "[[maybe_unused]] static int rows([[maybe_unused]] const Table& t, int n) {}");
    expectRepeated("void f() noexcept {}",
                   "std::map<int, std::vector<int>> f(void) { return {}; }");
    expectRepeated("void f(std::map<int, int> m) {}", "void f(std::map<int, int>) {}");
    expectRepeated("void f(const int* a, int b[3]) {}", "void f(const int* p, int q[3]) {}");
    expectRepeated("bool operator<(A a, B b) { return 1; }",
                   "bool operator<(A x, B y) { return 0; }");
    expectRepeated("template <class T> T f(T t) { return t; }",
                   "template <typename S> S f(S s) {}");
    expectRepeated("TEST(Rows, Grow) {}", "TEST(Rows, Grow) { EXPECT_TRUE(false); }");
    expectTogether(false, local("int f(int a) { return a; }"), "static int f(int b) { return b; }");
    expectTogether(false, "Row::Row(int a) : m_a{a}, m_b(3) {} int x = 1;", "int x = 2;");
    expectTogether(
        false, "int Row::size() const { return 1; }", "int Row::size() const { return 2; }");
}

TEST(RepeatedNames, AreFoundInOverloadsThatAreNotCalled)
{
    const std::string other = "int rows(double a) { return 1; }";
    expectRepeated("int rows(int a) { return 1; } auto x = apply(rows);", other);
    expectRepeated("int rows(int a) { return 1; } void f() { field.count = rows; }", other);
    expectDifferent("int rows(int a) { return 1; } auto x = apply(rows(1));", other);
    expectDifferent("int rows(int a) { return 1; } void f() { int rows = 1; apply(rows); }", other);
    expectDifferent("int rows(int a) { return 1; } void f(const A& rows) { apply(rows); }", other);
}

TEST(RepeatedNames, AreNotSeenWhereNothingRepeats)
{
    expectDifferent("int f(int a) { return a; }", "int f(double a) { return a; }");
    expectDifferent("int f(const Row& row) { return 1; }", "int f(const Row* row) { return 1; }");
    expectDifferent("template <class T> int f(T t) {}", "template <std::integral T> int f(T t) {}");
    expectDifferent("using Rows = std::vector<int>;", "using Rows = std::vector<int>;");
    expectDifferent("class Row; int f(int a);", "class Row; int f(int a);");
    expectDifferent("int f(const Of<1>& a);", "int f(const Of<1>& a) { return 1; }");
    expectDifferent("void f() { int x = 1; }", "void g() { int x = 2; struct Row {}; }");
    expectDifferent("struct A { int x = 1; void f() {} };", "struct B { int x = 2; void f() {} };");
    expectDifferent("enum class A { x };", "enum class B { x };");
    expectDifferent("template <> int f<int>(A a) {}", "template <> int f<bool>(A a) {}");
    expectDifferent("template <> struct F<int> {};", "template <> struct F<bool> {};");
    expectDifferent("bool operator<(A a, B b) {}", "bool operator>(A a, B b) {}");
    expectDifferent("// int x = 1;\nint y = 2;", "/* int y = 1; */ int x = 2;");
    expectDifferent("auto a = R\"(int x = 1; })\";",
                    "auto b = u8\"\\\"} int x\"; char c = '}'; int x = 1'000;");
    expectDifferent("auto f = [](int x) { return x; };", "auto g = [](int x) { return x; };");
    expectDifferent("using std::min; using namespace a;", "using std::min; using namespace a;");
    expectDifferent("struct A; namespace b = std::chrono;", "struct A; namespace b = std::chrono;");
    expectDifferent("INSTANTIATE_TEST_SUITE_P(All, A, Values(1));",
                    "INSTANTIATE_TEST_SUITE_P(All, B, Values(1));");
    expectDifferent("extern template class A<int>;\nstatic_assert(true);",
                    "template class A<int>;");
    expectTogether(true, "bool A::operator()(int a) {}", "bool B::operator()(int a) {}");
    expectTogether(true, "int Row::a() { return 1; }", "int Column::a() { return 1; }");
    expectTogether(true, "namespace a {" + local("int x = 1;") + "}", local("int x = 1;"));
    EXPECT_TRUE(repeatedNames({{"a", definedNames("#define X 1\n#undef X")},
                               {"b", definedNames("#define X 1")}})
                    .empty());
}

TEST(RepeatedNames, AreFoundBetweenASourceAndAHeader)
{
    const NamedSource header = namedSource("a.h", "inline constexpr int kRows = 1;");
    const NamedSource source = namedSource("b.cpp", local("constexpr int kRows = 2;"));
    EXPECT_EQ(repeatedNames({header, source}).size(), 1U);
    EXPECT_EQ(repeatedNames({source, header}).size(), 1U);
    EXPECT_TRUE(
        repeatedNames({header, namedSource("c.h", "inline constexpr int kRows = 1;")}).empty());
}

TEST(RepeatedNames, RefuseWhatTheyCannotRead)
{
    EXPECT_THROW(definedNames("namespace a { int f() { return 1;"), std::runtime_error);
    EXPECT_THROW(definedNames("namespace a {"), std::runtime_error);
    EXPECT_THROW(definedNames("int x = 1; }"), std::runtime_error);
}

TEST(RepeatedNames, NameBothPlaces)
{
    const std::vector<std::string> repeated =
        repeatedNames({{"a.cpp", definedNames("namespace flopsmith {\nint x = 1;\n}")},
                       {"b.cpp", definedNames("namespace flopsmith { int x; }")}});
    EXPECT_EQ(repeated, std::vector<std::string>{"flopsmith::x: a.cpp:2 and b.cpp:1"});
}

} // namespace
} // namespace flopsmith::test
