// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

// Saved by version 5 of the library, which renamed the number of experts.
constexpr const char* kNewer = R"({"model_type": "qwen3_moe",
    "architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 64, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 24, "intermediate_size": 200,
    "moe_intermediate_size": 40, "vocab_size": 501, "num_local_experts": 6,
    "num_experts_per_tok": 2})";

std::string unknownName()
{
    std::string text = kNewer;
    const std::string known = "num_local_experts";
    return text.replace(text.find(known), known.size(), "moe_expert_count");
}

class DoubtfulSizes : public Commands
{};

TEST_F(DoubtfulSizes, ExpertsUnderTheirNewerNameAreCounted)
{
    file("qwen3-moe-v5.json", kNewer);

    const Answer answer = ask("cost qwen3-moe-v5.json --format json");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("259408"));
    EXPECT_THAT(answer.error, testing::Not(HasSubstr("num_experts")));
}

TEST_F(DoubtfulSizes, AreRefusedByEveryCommandAndAssumedIfTold)
{
    file("config.json", unknownName());

    for (const char* command : {"cost config.json --seq 8",
                                "memory config.json --seq 8",
                                "parameters config.json",
                                "check config.json"}) {
        const Answer refused = ask(command);
        const Answer assumed = ask(std::string(command) + " --assume");

        EXPECT_EQ(refused.code, 1) << command;
        EXPECT_EQ(refused.errorLines(), 1) << command;
        EXPECT_THAT(refused.error, HasSubstr("num_experts: missing, while moe_expert_count: 6"));
        EXPECT_EQ(assumed.code, 0) << command << ": " << assumed.error;
    }
}

} // namespace
} // namespace flopsmith
