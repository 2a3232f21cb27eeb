// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/safetensors_writer.h"

#include "core/io/safetensors/safetensors_file.h"
#include "tests/core/base/text_fixture.h"
#include "tests/core/io/safetensors/safetensors_bytes.h"
#include "tests/support/file_size_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace flopsmith {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SafetensorsWriter : public TextFile
{
protected:
    Result<WrittenSafetensors> write(const std::vector<TensorToWrite>& tensors,
                                     const SafetensorsMetadata& metadata = {}) const
    {
        return writeSafetensors(path("a"), tensors, metadata);
    }

    std::string refusal(const std::vector<TensorToWrite>& tensors) const
    {
        const auto written = write(tensors);
        return written ? "written" : written.error().message;
    }

    const std::vector<float> m_three{1, -2, 0.5F};
};

TEST_F(SafetensorsWriter, WritesTheseBytes)
{
    ASSERT_TRUE(write({{.name = "w", .shape = {3}, .values = m_three}}, {{"format", "pt"}}).ok());

    const std::string header = R"({"__metadata__":{"format":"pt"},)"
                               R"("w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})";
    const std::string bytes = bytesOf(path("a"));
    const std::string blanks((8 - header.size() % 8) % 8, ' ');
    EXPECT_EQ(bytes,
              test::safetensorsBytes(header + blanks,
                                     "\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f"s));
}

TEST_F(SafetensorsWriter, AwkwardShapesComeBack)
{
    const std::vector<double> one{-0.25};
    const std::vector<std::int64_t> whole{std::numeric_limits<std::int64_t>::min(), 0, 7};
    const std::vector<std::int32_t> narrow{-1, 2};
    const auto written =
        write({{.name = "scalar", .type = TensorType::f64, .shape = {}, .values = one},
               {.name = "none", .shape = {0, 3}, .values = std::span<const float>()},
               {.name = "one", .type = TensorType::bf16, .shape = {1}, .values = one},
               {.name = "whole", .type = TensorType::i64, .shape = {1, 3, 1}, .values = whole},
               {.name = "narrow", .type = TensorType::i32, .shape = {2}, .values = narrow}});
    ASSERT_TRUE(written.ok()) << written.error().message;
    EXPECT_THAT(written->files, ElementsAre(path("a")));
    EXPECT_EQ(written->rounding, 0);

    const auto read = SafetensorsFile::open(path("a"));

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->tensors().size(), 5U);
    EXPECT_TRUE(read->metadata().empty());
    EXPECT_THAT(read->readAs<double>("scalar").value(), ElementsAre(-0.25));
    EXPECT_TRUE(read->find("scalar")->shape.empty());
    EXPECT_TRUE(read->readAs<float>("none").value().empty());
    EXPECT_EQ(read->find("none")->shape, (TensorShape{0, 3}));
    EXPECT_THAT(read->readAs<float>("one").value(), ElementsAre(-0.25F));
    EXPECT_EQ(read->readAs<std::int64_t>("whole").value(), whole);
    EXPECT_EQ(read->find("whole")->shape, (TensorShape{1, 3, 1}));
    EXPECT_THAT(read->readAs<std::int64_t>("narrow").value(), ElementsAre(-1, 2));
}

TEST_F(SafetensorsWriter, TensorsAreAlignedAndElseInTheirOrder)
{
    const std::vector<float> one{1};
    ASSERT_TRUE(write({{.name = "d", .type = TensorType::bf16, .shape = {1}, .values = one},
                       {.name = "c", .type = TensorType::f32, .shape = {1}, .values = one},
                       {.name = "b", .type = TensorType::f64, .shape = {1}, .values = one},
                       {.name = "a", .type = TensorType::f32, .shape = {1}, .values = one}})
                    .ok());

    const auto read = SafetensorsFile::open(path("a"));

    ASSERT_TRUE(read.ok());
    std::string names;
    for (const SafetensorsTensor& tensor : read->tensors()) {
        names += tensor.name;
        EXPECT_EQ(tensor.begin % bytesPerElement(tensor.type), 0U);
    }
    EXPECT_EQ(names, "bcad");
    const auto header = parsedSafetensors(test::asBytes(bytesOf(path("a"))), "a");
    EXPECT_EQ(header.value().dataStart % 8, 0U);
}

TEST_F(SafetensorsWriter, ChunksAreAskedForOnceAndInOrder)
{
    const auto elements = static_cast<std::int64_t>(2 * kTensorChunk + 5);
    std::vector<std::uint64_t> asked;
    const TensorChunks<std::int64_t> counting = [&asked](std::uint64_t first,
                                                         std::span<std::int64_t> values) {
        asked.push_back(first);
        std::iota(values.begin(), values.end(), static_cast<std::int64_t>(first));
        return Status(Done{});
    };

    ASSERT_TRUE(
        write({{.name = "n", .type = TensorType::i64, .shape = {elements}, .values = counting}})
            .ok());

    EXPECT_THAT(asked, ElementsAre(0, kTensorChunk, 2 * kTensorChunk));
    std::vector<std::int64_t> expected(static_cast<std::size_t>(elements));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(SafetensorsFile::open(path("a")).value().readAs<std::int64_t>("n").value(), expected);
}

TEST_F(SafetensorsWriter, AFailingSourceLeavesTheOldFile)
{
    fileWith("a", "old");
    const TensorChunks<float> failing = [](std::uint64_t, std::span<float>) {
        return Status(Error{"stopped"});
    };

    EXPECT_EQ(refusal({{.name = "first", .shape = {3}, .values = m_three},
                       {.name = "w", .shape = {2}, .values = failing}}),
              "stopped");

    EXPECT_EQ(bytesOf(path("a")), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(SafetensorsWriter, AFullDiskLeavesTheOldFile)
{
    fileWith("a", "old");
    std::string message;
    {
        const test::FileSizeLimit limit(20);
        message = refusal({{.name = "w", .shape = {3}, .values = m_three}});
    }

    EXPECT_THAT(message, AllOf(HasSubstr(path("a")), HasSubstr("cannot be written")));
    EXPECT_EQ(bytesOf(path("a")), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(SafetensorsWriter, TheLargestRoundingIsToldWithItsTensor)
{
    const std::vector<float> coarse{1, 257};
    const std::vector<float> fine{1, 1.001F};

    const auto written =
        write({{.name = "fine", .type = TensorType::bf16, .shape = {2}, .values = fine},
               {.name = "coarse", .type = TensorType::bf16, .shape = {2}, .values = coarse}});

    ASSERT_TRUE(written.ok());
    EXPECT_EQ(written->rounding, 1.0 / 257);
    EXPECT_EQ(written->roundedTensor, "coarse");
}

TEST_F(SafetensorsWriter, WhatCannotBeStoredIsNamed)
{
    const std::vector<double> huge{0, 1e39};
    EXPECT_THAT(refusal({{.name = "w", .shape = {2}, .values = huge}}),
                HasSubstr("tensor \"w\": element 1 is 1e+39, which F32 does not hold"));
    EXPECT_THAT(refusal({{.name = "w", .type = TensorType::i64, .shape = {3}, .values = m_three}}),
                HasSubstr("tensor \"w\": real numbers are stored as"));
    EXPECT_THAT(refusal({{.name = "w", .shape = {2, 2}, .values = m_three}}),
                HasSubstr("tensor \"w\": shape [2, 2] needs 4 values, not 3"));
    EXPECT_THAT(refusal({{.name = "w", .shape = {-3}, .values = m_three}}), HasSubstr("[-3]"));
    EXPECT_EQ(files(), 0);
}

TEST_F(SafetensorsWriter, NamesAreUniqueAndPlain)
{
    const auto named = [this](const std::string& name) {
        return TensorToWrite{.name = name, .shape = {3}, .values = m_three};
    };
    EXPECT_THAT(refusal({named("w"), named("v"), named("w")}),
                HasSubstr("tensor \"w\": two tensors have this name"));
    for (const char* name : {"", "__metadata__", "a\nb", "gr\xC3\xBC\xC3\x9F"}) {
        EXPECT_THAT(refusal({named(name)}), HasSubstr("printable ASCII")) << name;
    }
}

} // namespace
} // namespace flopsmith
