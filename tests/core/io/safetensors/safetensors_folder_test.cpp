// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/safetensors_folder.h"

#include "core/io/safetensors/safetensors_writer.h"
#include "tests/core/base/text_fixture.h"
#include "tests/core/io/safetensors/safetensors_bytes.h"
#include "tests/support/file_size_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SafetensorsFolders : public TextFile
{
protected:
    // Three tensors of 12 bytes, "a", "b" and "c".
    Result<WrittenSafetensors> write(std::uint64_t shardBytes) const
    {
        std::vector<TensorToWrite> tensors;
        for (const char* name : {"a", "b", "c"}) {
            tensors.push_back({.name = name, .shape = {3}, .values = m_values});
        }
        return writeSafetensorsFolder(m_folder.string(), tensors, {{"format", "pt"}}, shardBytes);
    }

    std::string refusal() const
    {
        const auto folder = SafetensorsFolder::open(m_folder.string());
        return folder ? "opened" : folder.error().message;
    }

    std::string refusalOfMap(const std::string& map) const
    {
        fileWith("model.safetensors.index.json", "{\"weight_map\":" + map + "}");
        return refusal();
    }

    const std::vector<float> m_values{1, 2, 3};
};

TEST_F(SafetensorsFolders, OneFileIsEnoughForSmallModels)
{
    const auto written = write(kShardBytes);

    ASSERT_TRUE(written.ok()) << written.error().message;
    EXPECT_THAT(written->files, ElementsAre(path("model.safetensors")));
    for (const std::string& named : {m_folder.string(), path("model.safetensors")}) {
        const auto folder = SafetensorsFolder::open(named);
        ASSERT_TRUE(folder.ok()) << folder.error().message;
        EXPECT_EQ(folder->size(), 3U);
        EXPECT_EQ(folder->files().size(), 1U);
        EXPECT_EQ(folder->readAs<float>("c").value(), m_values);
    }
}

TEST_F(SafetensorsFolders, ShardsAreFoundByTheirIndex)
{
    const auto written = write(24);

    ASSERT_TRUE(written.ok()) << written.error().message;
    EXPECT_THAT(written->files,
                ElementsAre(path("model-00001-of-00002.safetensors"),
                            path("model-00002-of-00002.safetensors"),
                            path("model.safetensors.index.json")));
    EXPECT_EQ(files(), 3);
    for (const std::string& named : {m_folder.string(), path("model.safetensors.index.json")}) {
        const auto folder = SafetensorsFolder::open(named);
        ASSERT_TRUE(folder.ok()) << folder.error().message;
        EXPECT_EQ(folder->size(), 3U);
        EXPECT_EQ(folder->metadata().at("format"), "pt");
        ASSERT_TRUE(folder->find("c").has_value());
        EXPECT_EQ(folder->find("c")->file, &folder->files()[1]);
        EXPECT_EQ(folder->find("c")->tensor->name, "c");
        EXPECT_THAT(folder->readAs<double>("c").value(), ElementsAre(1.0, 2.0, 3.0));
    }
}

TEST_F(SafetensorsFolders, WrittenTwiceTheyAreTheSame)
{
    ASSERT_TRUE(write(12).ok());
    const std::string first = bytesOf(path("model-00002-of-00003.safetensors"));

    ASSERT_TRUE(write(12).ok());

    EXPECT_EQ(files(), 4);
    EXPECT_EQ(bytesOf(path("model-00002-of-00003.safetensors")), first);
}

TEST_F(SafetensorsFolders, OtherWeightsAreNotLeftBesideTheNewOnes)
{
    ASSERT_TRUE(write(kShardBytes).ok());
    EXPECT_THAT(write(12).error().message,
                AllOf(HasSubstr(path("model.safetensors")), HasSubstr("other weights")));
    EXPECT_EQ(files(), 1);

    std::filesystem::remove(path("model.safetensors"));
    ASSERT_TRUE(write(12).ok());
    EXPECT_THAT(write(kShardBytes).error().message, HasSubstr("model.safetensors.index.json"));
}

TEST_F(SafetensorsFolders, AFullDiskLeavesNoneOfTheShards)
{
    std::string message;
    {
        const test::FileSizeLimit limit(150); // enough for a shard, not for the index
        message = write(12).error().message;
    }

    EXPECT_THAT(message, HasSubstr("cannot be written"));
    EXPECT_EQ(files(), 0);
}

TEST_F(SafetensorsFolders, TooManyShardsAreRefused)
{
    std::vector<TensorToWrite> tensors;
    for (std::size_t i = 0; i <= kMaxWrittenShards; ++i) {
        tensors.push_back({.name = std::to_string(i), .shape = {3}, .values = m_values});
    }

    const auto written = writeSafetensorsFolder(m_folder.string(), tensors, {}, 1);

    EXPECT_THAT(written.error().message, AllOf(HasSubstr("501 files"), HasSubstr("at most 500")));
    EXPECT_EQ(files(), 0);
}

TEST_F(SafetensorsFolders, WhatIsMissingIsNamed)
{
    EXPECT_THAT(refusal(), AllOf(HasSubstr(m_folder.string()), HasSubstr("has neither")));
    EXPECT_THAT(SafetensorsFolder::open(path("none")).error().message, HasSubstr(path("none")));
    ASSERT_TRUE(write(12).ok());
    EXPECT_THAT(
        SafetensorsFolder::open(m_folder.string()).value().readAs<float>("d").error().message,
        HasSubstr("no tensor \"d\" among its 3"));
    EXPECT_FALSE(SafetensorsFolder::open(m_folder.string()).value().find("d").has_value());

    std::filesystem::remove(path("model-00002-of-00003.safetensors"));

    EXPECT_THAT(
        refusal(),
        AllOf(HasSubstr(path("model-00002-of-00003.safetensors")), HasSubstr("cannot be read")));
}

TEST_F(SafetensorsFolders, AnIndexThatIsNoneIsRefused)
{
    EXPECT_THAT(refusalOfMap("[]"), HasSubstr("expected an object \"weight_map\""));
    EXPECT_THAT(refusalOfMap("{}"), HasSubstr("expected an object \"weight_map\""));
    EXPECT_THAT(refusalOfMap(R"({"a":3})"), HasSubstr("a file's name for \"a\""));
    EXPECT_THAT(refusalOfMap(R"({"a":"x","a":"y"})"), HasSubstr("occurs twice"));
    EXPECT_THAT(refusalOfMap("{"), HasSubstr("not valid JSON"));
    fileWith("model.safetensors.index.json", "[]");
    EXPECT_THAT(refusal(), HasSubstr("expected an object \"weight_map\""));
}

TEST_F(SafetensorsFolders, ShardsStandBesideTheIndex)
{
    for (const char* name : {"", ".", "..", "../x", "/etc/passwd", "a\\\\b", "a\\u0000b"}) {
        EXPECT_THAT(refusalOfMap(R"({"a":")" + std::string(name) + "\"}"),
                    HasSubstr("names no file beside the index"))
            << name;
    }
}

TEST_F(SafetensorsFolders, ShardsHaveWhatTheIndexSaysOnce)
{
    const std::string tensor = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    fileWith("x", test::safetensorsBytes(tensor, "1"));
    fileWith("y", test::safetensorsBytes(tensor, "1"));
    fileWith("z", test::safetensorsBytes("{}"));

    EXPECT_THAT(refusalOfMap(R"({"a":"x","b":"x"})"),
                AllOf(HasSubstr(path("x")), HasSubstr("no tensor \"b\"")));
    EXPECT_THAT(refusalOfMap(R"({"a":"x","b":"y"})"),
                AllOf(HasSubstr("\"a\" is in"), HasSubstr(path("x") + " too")));
    EXPECT_THAT(refusalOfMap(R"({"a":"z"})"), HasSubstr("no tensor \"a\""));
    EXPECT_EQ(refusalOfMap(R"({"a":"x"})"), "opened");
}

} // namespace
} // namespace flopsmith
