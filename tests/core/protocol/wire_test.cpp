// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/wire/wire.h"

#include "core/mixer/cross_attention.h"
#include "tests/core/protocol/messages.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Failure refusalOf(std::string_view line)
{
    const auto read = requestOf(line);
    EXPECT_TRUE(std::holds_alternative<Failure>(read)) << line;
    const auto* failure = std::get_if<Failure>(&read);
    return failure != nullptr ? *failure : Failure{};
}

TEST(Wire, EveryRequestReadsBackAsWritten)
{
    for (const Request& request : someRequests()) {
        const std::string line = lineOf(request);

        EXPECT_EQ(line.find('\n'), std::string::npos);
        const auto read = requestOf(line);
        ASSERT_TRUE(std::holds_alternative<Request>(read)) << line;
        EXPECT_EQ(std::get<Request>(read), request) << line;
    }
}

TEST(Wire, EveryAnswerReadsBackAsWritten)
{
    for (const Answer& answer : someAnswers()) {
        const std::string line = lineOf(answer);

        EXPECT_EQ(line.find('\n'), std::string::npos);
        const Result<Answer> read = answerOf(line);
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, answer) << line;
    }
}

TEST(Wire, CountsBeyondADoubleTravelAsDigits)
{
    const std::string line = lineOf(someMeasured());

    EXPECT_NE(line.find("\"mac\":\"1208925819614629174706176\""), std::string::npos);
    EXPECT_NE(line.find("\"add\":5"), std::string::npos);
}

TEST(Wire, LeftOutChoicesHaveTheirDefaults)
{
    const auto read = requestOf(R"({"protocol":1,"type":"peaks","id":9})");

    ASSERT_TRUE(std::holds_alternative<Request>(read));
    EXPECT_EQ(std::get<Request>(read), Request(PeaksRequest{.id = 9}));
}

TEST(Wire, AnOperationOfAnEarlierProgramIsMeasuredWithHotCaches)
{
    std::string line = lineOf(MeasureRequest{.id = 4, .operation = denseOperation()});
    const std::string cache = "\"cache\":\"hot\",";
    line.erase(line.find(cache), cache.size());

    EXPECT_EQ(std::get<Request>(requestOf(line)),
              Request(MeasureRequest{.id = 4, .operation = denseOperation()}));
}

TEST(Wire, PeaksOfAnEarlierProgramHaveNoLevelsAndNoLaunch)
{
    const Result<Answer> answer =
        answerOf(R"({"protocol":1,"type":"peaks_measured","id":3,"threads":8,)"
                 R"("flops_per_second":6.1e11,"bytes_per_second":3.4e10,"sentence":"a copy"})");

    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(*answer,
              Answer(PeaksMeasured{.id = 3,
                                   .threads = 8,
                                   .flopsPerSecond = 6.1e11,
                                   .bytesPerSecond = 3.4e10,
                                   .sentence = "a copy"}));
}

TEST(Wire, APeakOfAnUnknownPrecisionIsRefusedByItsPlace)
{
    std::string line = lineOf(somePeaks());
    line.replace(line.find("tf32"), 4, "fp64");

    const Result<Answer> answer = answerOf(line);

    ASSERT_FALSE(answer.ok());
    EXPECT_NE(answer.error().message.find("message.products[1].precision"), std::string::npos)
        << answer.error().message;
}

TEST(Wire, KeysOfALaterVersionAreIgnored)
{
    const auto read = requestOf(R"({"protocol":1,"type":"describe","id":9,"colour":"blue"})");

    EXPECT_TRUE(std::holds_alternative<Request>(read));
}

TEST(Wire, GarbageIsABadMessageWithoutAnId)
{
    for (const char* line : {"", " ", "hello", "{", "[1,2]", "null", "\xff\xfe", "{\"id\":1"}) {
        const Failure failure = refusalOf(line);

        EXPECT_EQ(failure.code, FailureCode::badMessage) << line;
        EXPECT_EQ(failure.id, 0);
        EXPECT_FALSE(failure.sentence.empty());
    }
}

TEST(Wire, AnotherVersionIsRefusedUnderTheLinesId)
{
    const Failure failure = refusalOf(R"({"protocol":2,"type":"describe","id":5})");

    EXPECT_EQ(failure, (Failure{5, FailureCode::wrongVersion, failure.sentence}));
    EXPECT_NE(failure.sentence.find("speaks version 1, not 2"), std::string::npos);
}

TEST(Wire, AnUnknownTypeNamesTheKnownOnes)
{
    const Failure failure = refusalOf(R"({"protocol":1,"type":"dance","id":5})");

    EXPECT_EQ(failure.id, 5);
    EXPECT_NE(failure.sentence.find("measure"), std::string::npos);
}

TEST(Wire, WrongTypesNameTheKey)
{
    EXPECT_NE(refusalOf(R"({"protocol":1,"type":"peaks","id":5,"threads":"two"})")
                  .sentence.find("message.threads"),
              std::string::npos);
    EXPECT_NE(refusalOf(R"({"protocol":1,"type":"peaks","id":5,"budget_seconds":-1})")
                  .sentence.find("message.budget_seconds"),
              std::string::npos);
    EXPECT_NE(refusalOf(R"({"protocol":1,"type":"peaks","id":-5})").sentence.find("message.id"),
              std::string::npos);
    EXPECT_NE(refusalOf(R"({"protocol":1,"type":"peaks","id":18446744073709551615})")
                  .sentence.find("message.id"),
              std::string::npos);
}

TEST(Wire, ASourceTravelsWithTheOperationAndMayBeLeftOut)
{
    MeasureRequest request{.id = 4, .operation = denseOperation()};
    request.operation.what = MixerSpec(CrossAttention{.heads = 4, .kvHeads = 2});
    EXPECT_EQ(lineOf(request).find("source"), std::string::npos);
    EXPECT_EQ(std::get<Request>(requestOf(lineOf(request))), Request(request));

    request.operation.source = 77;
    EXPECT_EQ(std::get<Request>(requestOf(lineOf(request))), Request(request));
}

TEST(Wire, ANegativeSourceIsABadOperation)
{
    const Failure failure = refusalOf(
        R"({"protocol":1,"type":"measure","id":5,"precision":"float32","pass":"forward",)"
        R"("operation":{"kind":"residual","d_model":8,"batch":1,"sequence":1,"context":1,"source":-1}})");

    EXPECT_EQ(failure.code, FailureCode::badOperation);
    EXPECT_NE(failure.sentence.find("source"), std::string::npos) << failure.sentence;
}

TEST(Wire, AnImpossibleOperationIsABadOperation)
{
    const Failure failure = refusalOf(
        R"({"protocol":1,"type":"measure","id":5,"precision":"float32","pass":"forward",)"
        R"("operation":{"kind":"ffn","spec":{"kind":"magic"},"d_model":8,"batch":1,"sequence":1,"context":1}})");

    EXPECT_EQ(failure.code, FailureCode::badOperation);
    EXPECT_EQ(failure.id, 5);
    EXPECT_NE(failure.sentence.find("magic"), std::string::npos);
}

TEST(Wire, APrecisionThatNobodyHasIsRefused)
{
    const Failure failure = refusalOf(
        R"({"protocol":1,"type":"measure","id":5,"precision":"fp8","pass":"forward",)"
        R"("operation":{"kind":"residual","d_model":8,"batch":1,"sequence":1,"context":1}})");

    EXPECT_NE(failure.sentence.find("\"fp8\" is unknown; known are float32"), std::string::npos);
}

TEST(Wire, AnOversizedLineIsRefusedWithItsSize)
{
    const std::string line(kLongestLine + 1, ' ');

    EXPECT_NE(refusalOf(line).sentence.find("1048577 bytes"), std::string::npos);
    EXPECT_FALSE(answerOf(line).ok());
}

TEST(Wire, EveryTruncationIsRefused)
{
    const std::string request = lineOf(MeasureRequest{.id = 4, .operation = denseOperation()});
    for (std::size_t length = 0; length < request.size(); ++length) {
        EXPECT_TRUE(std::holds_alternative<Failure>(requestOf(request.substr(0, length))));
    }
    const std::string answer = lineOf(someMeasured());
    for (std::size_t length = 0; length < answer.size(); ++length) {
        EXPECT_FALSE(answerOf(answer.substr(0, length)).ok());
    }
}

TEST(Wire, BytesThatAreNoTextDoNotStopAWriter)
{
    const std::string line = lineOf(Failure{1, FailureCode::failed, "odd \xff byte"});

    EXPECT_TRUE(answerOf(line).ok());
}

TEST(Wire, WhatADeviceCallsItselfIsAShortLine)
{
    const Described said{.device = "G\x1B]0;owned\x07\nPU" + std::string(1000, 'x'),
                         .kind = "cpu",
                         .program = "p\xC2\x9B"};

    const Result<Answer> answer = answerOf(lineOf(Answer(said)));

    ASSERT_TRUE(answer.ok());
    const auto& described = std::get<Described>(*answer);
    EXPECT_EQ(described.device.substr(0, 14), "G ]0;owned  PU");
    EXPECT_LT(described.device.size(), 210U);
    EXPECT_EQ(described.program, "p ");
}

} // namespace
} // namespace flopsmith
