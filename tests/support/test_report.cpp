// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_report.h"

#include "tests/support/assertion_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>

namespace flopsmith {
namespace {

std::string nameOf(const testing::TestInfo& test)
{
    return std::string(test.test_suite_name()) + "." + test.name();
}

std::string inOneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

class TestReport : public testing::EmptyTestEventListener
{
public:
    explicit TestReport(std::FILE* file)
        : m_file(file)
    {}

    void OnTestIterationStart(const testing::UnitTest& all, int /*iteration*/) override
    {
        if (GTEST_FLAG_GET(shuffle)) {
            write("seed " + std::to_string(all.random_seed()));
        }
    }

    void OnTestStart(const testing::TestInfo& test) override
    {
        m_assertionsBefore = executedAssertions;
        m_running = nameOf(test);
        write("begin " + m_running);
    }

    void OnTestPartResult(const testing::TestPartResult& result) override
    {
        if (result
                .skipped()) { // GoogleTest holds a lock here, so that it cannot be asked for the test
            write("skip " + m_running + " " + inOneLine(result.message()));
        }
    }

    void OnTestEnd(const testing::TestInfo& test) override
    {
        const testing::TestResult& result = *test.result();
        const char* const outcome =
            result.Failed() ? " failed " : (result.Skipped() ? " skipped " : " passed ");
        write("end " + nameOf(test) + outcome + std::to_string(result.elapsed_time()) + " "
              + std::to_string(executedAssertions - m_assertionsBefore));
    }

private:
    void write(const std::string& line)
    {
        std::fprintf(m_file.get(), "%s\n", line.c_str());
        std::fflush(m_file.get());
    }

    struct Close
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_running;
    std::uint64_t m_assertionsBefore = 0;
};

// A run of tests begins without reports. A program that a test starts again must not empty the file.
void writeReport(const char* path)
{
    std::FILE* file = std::fopen(path, "a");
    if (file == nullptr) {
        std::perror(path);
        std::exit(1); // NOLINT: one thread
    }
    testing::UnitTest::GetInstance()->listeners().Append(new TestReport(file)); // owned there
}

// GoogleTest itself knows patterns of * and ? only.
void selectTests(const std::regex& wanted)
{
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    std::string filter;
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const testing::TestSuite& suite = *all.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            const std::string name = nameOf(*suite.GetTestInfo(j));
            if (std::regex_search(name, wanted)) {
                filter += (filter.empty() ? "" : ":") + name;
            }
        }
    }
    GTEST_FLAG_SET(filter, filter.empty() ? "-*" : filter);
}

} // namespace

void prepareTestRun()
{
    if (const char* path = std::getenv("FLOPSMITH_TEST_REPORT")) { // NOLINT: one thread
        writeReport(path);
    }
    if (const char* wanted = std::getenv("FLOPSMITH_TEST_REGEX")) { // NOLINT: one thread
        selectTests(std::regex(wanted));
    }
}

} // namespace flopsmith
