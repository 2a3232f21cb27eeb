// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/run/part_norms.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace flopsmith {
namespace {

ModelTensor tensorOf(const std::string& path, bool trainable = true)
{
    ModelTensor tensor{.path = path};
    tensor.shape.trainable = trainable;
    return tensor;
}

TEST(PartNorms, JoinTheTrainedTensorsOfEachPart)
{
    const std::vector<ModelTensor> tensors{tensorOf("embedding/table"),
                                           tensorOf("blocks[0]/ffn/up"),
                                           tensorOf("blocks[0]/ffn/signs", false),
                                           tensorOf("blocks[0]/ffn/down")};

    const auto parts = partNorms(tensors, std::vector<double>{1.0, 3.0, 100.0, 4.0});

    EXPECT_THAT(parts,
                testing::ElementsAre(PartNorm{.part = "embedding", .norm = 1.0},
                                     PartNorm{.part = "blocks[0]/ffn", .norm = 5.0}));
}

TEST(PartNorms, AreThoseOfTensorsWhereThereIsOnePart)
{
    const std::vector<ModelTensor> tensors{
        tensorOf("ffn/up"), tensorOf("ffn/signs", false), tensorOf("ffn/down")};

    const auto parts = partNorms(tensors, std::vector<double>{3.0, 100.0, 4.0});

    EXPECT_THAT(parts,
                testing::ElementsAre(PartNorm{.part = "ffn/up", .norm = 3.0},
                                     PartNorm{.part = "ffn/down", .norm = 4.0}));
}

} // namespace
} // namespace flopsmith
