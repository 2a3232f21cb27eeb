// SPDX-License-Identifier: GPL-3.0-or-later
// What lesson 10 says was learned is what the lab found: by the log that is part of the program, and
// by the tables of tests/lab/results.
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/results/learned_claims.h"
#include "core/lab/results/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace flopsmith {
namespace {

const std::filesystem::path kLessons(FLOPSMITH_LESSON_FOLDER);

std::string textOf(const std::filesystem::path& path)
{
    const Result<std::string> text = textOfFile(path.string());
    EXPECT_TRUE(text.ok()) << path;
    return text ? *text : std::string();
}

// In English and in German.
void expectQuoted(const std::string& number)
{
    static const std::string kLesson = textOf(kLessons / "10-the-promise.flopsmith-lesson");
    std::string german = number;
    std::replace(german.begin(), german.end(), '.', ',');
    for (const std::string& each : {number, german}) {
        EXPECT_NE(kLesson.find(each), std::string::npos) << "the lesson does not say " << each;
    }
}

// The last cell of an arm's row below a heading: "1.739 ± 0.037".
std::string foundBy(const std::string& arm, const std::string& heading)
{
    static const std::string kResults =
        textOf(kLessons.parent_path().parent_path() / "tests/lab/results/README.md");
    std::string escaped;
    for (const char c : arm) {
        escaped += c == '_' ? "\\_" : std::string(1, c);
    }
    const std::size_t section = kResults.find("\n## " + heading);
    const std::size_t row = kResults.find("\n| " + escaped + " |", section);
    EXPECT_NE(row, std::string::npos) << arm << " in " << heading;
    const std::size_t end = kResults.find(" |\n", row);
    const std::size_t begin = kResults.rfind("| ", end);
    return row == std::string::npos ? "0" : kResults.substr(begin + 2, end - begin - 2);
}

TEST(QuotedFigures, OfFactsAreThoseOfTheShippedLog)
{
    const LabLog& log = shippedClaimsLog();
    const LabResults results = labResults(log, log.plan.ownView());

    for (const char* name :
         {"ultra_efficient_sparse", "dense_f7", "token_feedback", "dense_f6", "none"}) {
        const ArmResult* arm = results.arm(name);
        ASSERT_NE(arm, nullptr) << name;
        expectQuoted(fixedText(100.0 * arm->score().mean, 1) + " %");
    }
}

TEST(QuotedFigures, OfOtherTasksAreThoseOfTheTables)
{
    for (const char* arm : {"dense", "dense_f7", "none", "ultra", "token_feedback", "dense_f34"}) {
        expectQuoted(fixedText(std::stod(foundBy(arm, "Text, nano")), 2));
    }
    for (const char* arm : {"dense_f32", "token_feedback", "dense_f34"}) {
        expectQuoted(fixedText(100.0 * std::stod(foundBy(arm, "Facts")), 0) + " %");
    }
    for (const char* arm : {"spectral", "ultra"}) {
        expectQuoted(foundBy(arm, "Teacher and student"));
    }
}

} // namespace
} // namespace flopsmith
