// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/protocol/wire/wire.h"
#include "tests/core/protocol/messages.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

constexpr int kMutationsPerLine = 12;

// Pieces that readers stumble over, put in at random places.
constexpr std::string_view kPieces[]{"\"",      "{",
                                     "}",       "[",
                                     "]",       ",",
                                     ":",       "-",
                                     "0",       "9999999999999999999999",
                                     "1e999",   "-1",
                                     "null",    "true",
                                     "\\u0000", "\\ud800",
                                     "\xff",    "\"kind\":\"composed\",",
                                     "\"id\":", "\"stages\":[[[[]]]],"};

void mutate(std::string& line, Random& random)
{
    const auto place = [&] {
        return static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(line.size())));
    };
    switch (random.integer(0, 4)) {
    case 0: line.erase(place(), static_cast<std::size_t>(random.integer(1, 12))); break;
    case 1:
        line.insert(place(),
                    kPieces[random.integer(0, static_cast<std::int64_t>(std::size(kPieces)) - 1)]);
        break;
    case 2:
        if (!line.empty()) {
            line[std::min(place(), line.size() - 1)] = static_cast<char>(random.integer(-128, 127));
        }
        break;
    case 3: line.insert(place(), line.substr(place(), 40)); break;
    default: // a digit becomes another, so that the line stays JSON and its numbers are odd
        for (char& c : line) {
            if (c >= '0' && c <= '9' && random.integer(0, 9) == 0) {
                c = static_cast<char>('0' + random.integer(0, 9));
            }
        }
    }
}

template <class Check>
void mutateAll(const std::vector<std::string>& lines, Check check)
{
    Random random(20);
    for (const std::string& line : lines) {
        for (int i = 0; i < kMutationsPerLine; ++i) {
            std::string mutant = line;
            for (std::int64_t steps = random.integer(1, 3); steps > 0; --steps) {
                mutate(mutant, random);
            }
            check(mutant);
        }
    }
}

TEST(WireFuzz, AnyRequestIsReadBackOrRefusedWithASentence)
{
    std::vector<std::string> lines;
    for (const Request& request : someRequests()) {
        lines.push_back(lineOf(request));
    }
    int accepted = 0;
    int refused = 0;
    mutateAll(lines, [&](const std::string& mutant) {
        const auto read = requestOf(mutant);
        if (const auto* request = std::get_if<Request>(&read)) {
            ++accepted;
            const auto again = requestOf(lineOf(*request));
            ASSERT_TRUE(std::holds_alternative<Request>(again)) << mutant;
            EXPECT_EQ(std::get<Request>(again), *request) << mutant;
        } else {
            ++refused;
            EXPECT_FALSE(std::get<Failure>(read).sentence.empty()) << mutant;
            EXPECT_TRUE(answerOf(lineOf(std::get<Failure>(read))).ok()) << mutant;
        }
    });
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 500);
}

TEST(WireFuzz, AnyAnswerIsReadBackOrRefusedWithASentence)
{
    std::vector<std::string> lines;
    for (const Answer& answer : someAnswers()) {
        for (int i = 0; i < 30; ++i) {
            lines.push_back(lineOf(answer));
        }
    }
    int accepted = 0;
    int refused = 0;
    mutateAll(lines, [&](const std::string& mutant) {
        const Result<Answer> answer = answerOf(mutant);
        if (answer.ok()) {
            ++accepted;
            const Result<Answer> again = answerOf(lineOf(*answer));
            ASSERT_TRUE(again.ok()) << mutant;
            EXPECT_EQ(*again, *answer) << mutant;
        } else {
            ++refused;
            EXPECT_FALSE(answer.error().message.empty()) << mutant;
        }
    });
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 500);
}

} // namespace
} // namespace flopsmith
