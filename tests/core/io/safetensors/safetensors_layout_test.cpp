// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/safetensors_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

SafetensorsTensor tensorOf(const std::string& name, std::uint64_t bytes)
{
    return {.name = name,
            .type = TensorType::u8,
            .shape = {static_cast<std::int64_t>(bytes)},
            .begin = 0,
            .end = bytes};
}

std::string namesIn(const std::vector<std::vector<SafetensorsTensor>>& shards)
{
    std::string names;
    for (const auto& shard : shards) {
        names += names.empty() ? "" : "|";
        for (const SafetensorsTensor& tensor : shard) {
            names += tensor.name;
        }
    }
    return names;
}

TEST(SafetensorsLayout, ShardsHaveAtMostTheirBytesOrOneTensor)
{
    const std::vector<SafetensorsTensor> tensors{
        tensorOf("a", 4), tensorOf("b", 6), tensorOf("c", 1), tensorOf("d", 30), tensorOf("e", 0)};

    EXPECT_EQ(namesIn(shardsOf(tensors, 10)), "ab|c|de");
    EXPECT_EQ(namesIn(shardsOf(tensors, 100)), "abcde");
    EXPECT_EQ(namesIn(shardsOf(tensors, 0)), "a|b|c|de");
    EXPECT_EQ(shardsOf({}, 10).size(), 1U);
}

TEST(SafetensorsLayout, ShardsAreNamedAndIndexed)
{
    EXPECT_EQ(shardName(0, 3), "model-00001-of-00003.safetensors");
    EXPECT_EQ(shardIndex({{tensorOf("a", 4)}, {tensorOf("b", 6)}}),
              "{\n  \"metadata\": {\n    \"total_size\": 10\n  },\n  \"weight_map\": {\n"
              "    \"a\": \"model-00001-of-00002.safetensors\",\n"
              "    \"b\": \"model-00002-of-00002.safetensors\"\n  }\n}\n");
}

TEST(SafetensorsLayout, TensorsFollowEachOther)
{
    const auto tensors = laidOut({tensorOf("a", 4), tensorOf("b", 0), tensorOf("c", 2)});

    EXPECT_EQ(tensors[1].begin, 4U);
    EXPECT_EQ(tensors[1].end, 4U);
    EXPECT_EQ(tensors[2].begin, 4U);
    EXPECT_EQ(tensors[2].end, 6U);
}

} // namespace
} // namespace flopsmith
