// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/safetensors_file.h"

#include "tests/core/base/text_fixture.h"
#include "tests/core/io/safetensors/safetensors_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace flopsmith {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SafetensorsFiles : public TextFile
{
protected:
    // Written by hand: "w" = [[1, 2], [-2, 0.5]] as F32, and a scalar.
    std::string small() const
    {
        return fileWith("small.safetensors",
                        test::safetensorsBytes(
                            R"({"__metadata__":{"format":"pt"},)"
                            R"("w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                            R"("s":{"dtype":"I64","shape":[],"data_offsets":[16,24]}})",
                            "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x00\xc0\x00\x00\x00\x3f"s
                            "\x07\x00\x00\x00\x00\x00\x00\x00"s));
    }
};

TEST_F(SafetensorsFiles, ValuesAreReadByName)
{
    const auto opened = SafetensorsFile::open(small());
    ASSERT_TRUE(opened.ok()) << opened.error().message;

    EXPECT_EQ(opened->path(), path("small.safetensors"));
    EXPECT_EQ(opened->metadata().at("format"), "pt");
    EXPECT_EQ(opened->tensors().size(), 2U);
    ASSERT_NE(opened->find("w"), nullptr);
    EXPECT_EQ(opened->find("w")->shape, (TensorShape{2, 2}));
    EXPECT_EQ(opened->bytes(*opened->find("w")).size(), 16U);
    EXPECT_THAT(opened->readAs<float>("w").value(), ElementsAre(1.0F, 2.0F, -2.0F, 0.5F));
    EXPECT_THAT(opened->readAs<double>("w").value(), ElementsAre(1.0, 2.0, -2.0, 0.5));
    EXPECT_THAT(opened->readAs<std::int64_t>("s").value(), ElementsAre(7));
}

TEST_F(SafetensorsFiles, ValuesAreReadPieceByPiece)
{
    const auto opened = SafetensorsFile::open(small());
    ASSERT_TRUE(opened.ok());
    std::array<float, 2> piece{};

    ASSERT_TRUE(opened->read(*opened->find("w"), 2, std::span<float>(piece)).ok());

    EXPECT_THAT(piece, ElementsAre(-2.0F, 0.5F));
    EXPECT_TRUE(opened->read(*opened->find("w"), 4, std::span<float>()).ok());
}

TEST_F(SafetensorsFiles, ErrorsNameFileAndTensor)
{
    const auto opened = SafetensorsFile::open(small());
    ASSERT_TRUE(opened.ok());
    std::array<std::int64_t, 2> piece{};

    EXPECT_EQ(opened->find("v"), nullptr);
    EXPECT_THAT(opened->readAs<float>("v").error().message,
                AllOf(HasSubstr(path("small.safetensors")), HasSubstr("no tensor \"v\"")));
    EXPECT_THAT(opened->read(*opened->find("w"), 2, std::span<std::int64_t>(piece)).error().message,
                AllOf(HasSubstr("small.safetensors: tensor \"w\": element 3 is 0.5"),
                      HasSubstr("whole number")));
}

TEST_F(SafetensorsFiles, WhatIsNoneIsRefusedByItsName)
{
    EXPECT_THAT(SafetensorsFile::open(path("none")).error().message,
                AllOf(HasSubstr(path("none")), HasSubstr("cannot be read")));
    EXPECT_THAT(SafetensorsFile::open(fileWith("empty", "")).error().message,
                AllOf(HasSubstr(path("empty")), HasSubstr("0 bytes")));
    EXPECT_THAT(SafetensorsFile::open(fileWith("text", "version https://git-lfs")).error().message,
                AllOf(HasSubstr(path("text")), HasSubstr("no safetensors file")));
}

TEST_F(SafetensorsFiles, MovedTheyKeepTheirTensors)
{
    auto opened = SafetensorsFile::open(small());
    ASSERT_TRUE(opened.ok());

    const SafetensorsFile moved = std::move(opened).value();

    EXPECT_THAT(moved.readAs<std::int64_t>("s").value(), ElementsAre(7));
}

} // namespace
} // namespace flopsmith
