// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/safetensors_header.h"

#include "tests/core/io/safetensors/safetensors_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::asBytes;
using test::lengthBytes;
using test::safetensorsBytes;
using testing::AllOf;
using testing::HasSubstr;

Result<SafetensorsHeader> headerOf(const std::string& bytes)
{
    return parsedSafetensors(asBytes(bytes), "a.safetensors");
}

// Why a file of this header and so many bytes of data is refused.
std::string refusalOfHeader(const std::string& header, std::size_t dataBytes = 0)
{
    const auto read = headerOf(safetensorsBytes(header, std::string(dataBytes, 'x')));
    return read ? "read" : read.error().message;
}

std::string oneTensor(const std::string& type, const std::string& shape, const std::string& offsets)
{
    return R"({"w":{"dtype":)" + type + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets
        + "}}";
}

TEST(SafetensorsHeaders, TellTensorsAndMetadata)
{
    const auto header =
        headerOf(safetensorsBytes(R"({"__metadata__":{"format":"pt"},)"
                                  R"("b":{"shape":[],"data_offsets":[8,10],"dtype":"BF16"},)"
                                  R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}   )",
                                  std::string(10, 'x')));

    ASSERT_TRUE(header.ok()) << header.error().message;
    EXPECT_EQ(header->metadata, (SafetensorsMetadata{{"format", "pt"}}));
    ASSERT_EQ(header->tensors.size(), 2U);
    EXPECT_EQ(header->tensors[0],
              (SafetensorsTensor{
                  .name = "a", .type = TensorType::f32, .shape = {1, 2}, .begin = 0, .end = 8}));
    EXPECT_EQ(header->tensors[1],
              (SafetensorsTensor{
                  .name = "b", .type = TensorType::bf16, .shape = {}, .begin = 8, .end = 10}));
    EXPECT_EQ(header->tensors[1].elements(), 1U);
}

TEST(SafetensorsHeaders, AFileMayHaveNoTensors)
{
    EXPECT_TRUE(headerOf(safetensorsBytes("{}")).ok());
    EXPECT_TRUE(headerOf(safetensorsBytes(R"({"__metadata__":{}})")).ok());
}

TEST(SafetensorsHeaders, EmptyTensorsStandAnywhereBetweenOthers)
{
    const auto header =
        headerOf(safetensorsBytes(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                  R"("c":{"dtype":"U8","shape":[1],"data_offsets":[2,3]},)"
                                  R"("b":{"dtype":"F64","shape":[0,3],"data_offsets":[2,2]}})",
                                  "xxx"));

    ASSERT_TRUE(header.ok()) << header.error().message;
    EXPECT_EQ(header->tensors[1].name, "b");
    EXPECT_EQ(header->tensors[1].elements(), 0U);
}

TEST(SafetensorsHeaders, CutAnywhereTheyAreRefused)
{
    const std::string whole =
        safetensorsBytes(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "12345678");
    ASSERT_TRUE(headerOf(whole).ok());
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto cut = headerOf(whole.substr(0, length));
        ASSERT_FALSE(cut.ok()) << length;
        EXPECT_THAT(cut.error().message, HasSubstr("a.safetensors: ")) << length;
    }
    EXPECT_THAT(headerOf(whole.substr(0, 20)).error().message, HasSubstr("cut short"));
    EXPECT_THAT(headerOf(whole.substr(0, whole.size() - 3)).error().message,
                AllOf(HasSubstr("cut short"), HasSubstr("\"w\"")));
}

TEST(SafetensorsHeaders, BytesOfNoTensorAreRefused)
{
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[2]", "[0,2]"), 5),
                HasSubstr("the last 3 bytes belong to no tensor"));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[2]", "[1,3]"), 3),
                AllOf(HasSubstr("\"w\" begins at byte 1"), HasSubstr("belong to no tensor")));
    EXPECT_THAT(refusalOfHeader("{}", 1), HasSubstr("the last 1 bytes"));
}

TEST(SafetensorsHeaders, BytesOfTwoTensorsAreRefused)
{
    const std::string header = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                               R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})";

    EXPECT_THAT(refusalOfHeader(header, 6),
                AllOf(HasSubstr("\"b\" begins at byte 2"), HasSubstr("ends at 4")));
}

TEST(SafetensorsHeaders, HugeOnesAreNotRead)
{
    EXPECT_THAT(headerOf(lengthBytes(~std::uint64_t{0}) + "{}").error().message,
                AllOf(HasSubstr("18446744073709551615"), HasSubstr("at most 100000000")));
    EXPECT_THAT(headerOf(lengthBytes(kMaxSafetensorsHeader) + "{}").error().message,
                HasSubstr("only 2 follow"));
    EXPECT_THAT(headerOf(lengthBytes(0)).error().message, HasSubstr("must begin with {"));
}

TEST(SafetensorsHeaders, NothingOccursTwice)
{
    const std::string tensor = R"("w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    EXPECT_THAT(refusalOfHeader("{" + tensor + "," + tensor + "}"),
                AllOf(HasSubstr("\"w\""), HasSubstr("occurs twice")));
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":{"a":"","a":""}})"),
                HasSubstr("\"a\" occurs twice"));
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":{},"__metadata__":{}})"),
                HasSubstr("occurs twice"));
    EXPECT_THAT(refusalOfHeader(R"({"w":{"dtype":"U8","dtype":"U8"}})"),
                HasSubstr("\"dtype\" occurs twice"));
    EXPECT_THAT(refusalOfHeader(R"({"w":{"shape":[],"shape":[]}})"),
                HasSubstr("\"shape\" occurs twice"));
}

TEST(SafetensorsHeaders, UnknownTypesAreRefusedWithThoseKnown)
{
    EXPECT_THAT(refusalOfHeader(oneTensor("\"F8_E4M3\"", "[1]", "[0,1]"), 1),
                AllOf(HasSubstr("\"w\""), HasSubstr("F8_E4M3"), HasSubstr("F64, F32, F16, BF16")));
    EXPECT_THAT(refusalOfHeader(oneTensor("4", "[1]", "[0,1]"), 1),
                HasSubstr("a string under dtype"));
}

TEST(SafetensorsHeaders, ShapesFitTheirBytes)
{
    EXPECT_THAT(refusalOfHeader(oneTensor("\"F32\"", "[2,3]", "[0,20]"), 20),
                AllOf(HasSubstr("[2, 3] of F32 needs 24 bytes"), HasSubstr("hold 20")));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"F32\"", "[]", "[0,0]")), HasSubstr("needs 4 bytes"));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[4294967296,4294967296]", "[0,0]")),
                HasSubstr("64 bits"));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[18446744073709551615]", "[0,0]")),
                HasSubstr("64 bits"));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[1e3]", "[0,0]")),
                AllOf(HasSubstr("whole numbers"), HasSubstr("shape")));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[-3]", "[0,0]")), HasSubstr("not -3"));
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "3", "[0,3]"), 3),
                HasSubstr("a list of numbers"));
    std::string ones = "1";
    for (int i = 0; i < 64; ++i) {
        ones += ",1";
    }
    EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[" + ones + "]", "[0,1]"), 1),
                HasSubstr("more than 64 numbers"));
}

TEST(SafetensorsHeaders, PlacesAreABeginAndAnEnd)
{
    for (const char* offsets : {"[]", "[0]", "[0,1,2]", "[1,0]"}) {
        EXPECT_THAT(refusalOfHeader(oneTensor("\"U8\"", "[1]", offsets), 1),
                    HasSubstr("data_offsets"))
            << offsets;
    }
}

TEST(SafetensorsHeaders, EveryKeyIsThereAndNoOther)
{
    EXPECT_THAT(refusalOfHeader(R"({"w":{}})"), HasSubstr("dtype is missing"));
    EXPECT_THAT(refusalOfHeader(R"({"w":{"dtype":"U8","shape":[]}})"),
                HasSubstr("data_offsets is missing"));
    EXPECT_THAT(refusalOfHeader(R"({"w":{"strides":[1]}})"), HasSubstr("\"strides\" is unknown"));
}

TEST(SafetensorsHeaders, MetadataIsFlat)
{
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":{"a":1}})"),
                AllOf(HasSubstr("__metadata__"), HasSubstr("a string under \"a\", not 1")));
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":{"a":{}}})"), HasSubstr("not an object"));
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":["a"]})"), HasSubstr("not a list"));
    EXPECT_THAT(refusalOfHeader(R"({"__metadata__":{"a":null}})"), HasSubstr("not null"));
    EXPECT_THAT(refusalOfHeader(R"({"w":"text"})"), HasSubstr("not a string"));
}

TEST(SafetensorsHeaders, WhatIsNoJsonIsRefused)
{
    using namespace std::string_literals;
    EXPECT_THAT(refusalOfHeader("[]"), HasSubstr("begin with {"));
    EXPECT_THAT(refusalOfHeader("\xEF\xBB\xBF{}"), HasSubstr("begin with {"));
    EXPECT_THAT(refusalOfHeader("{"), HasSubstr("not valid JSON"));
    EXPECT_THAT(refusalOfHeader("{} {}"), HasSubstr("not valid JSON"));
    EXPECT_THAT(refusalOfHeader("{}\0\0"s), HasSubstr("byte 3 of the header"));
    EXPECT_THAT(refusalOfHeader("{\"\xFF\":1}"), HasSubstr("not valid JSON"));
    EXPECT_THAT(refusalOfHeader("{\"__metadata__\":{\"a\":\"\xC3\x28\"}}"),
                HasSubstr("not valid JSON"));
    EXPECT_THAT(refusalOfHeader(R"({"w":{"shape":)" + std::string(100'000, '[')),
                HasSubstr("not a list"));
}

} // namespace
} // namespace flopsmith
