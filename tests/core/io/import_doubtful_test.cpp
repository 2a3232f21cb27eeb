// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/moe.h"
#include "core/json/json_text.h"
#include "core/json/similar_keys.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::configOf;
using test::imported;
using test::parameters;
using test::patched;
using test::refusal;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// A size that is missing while a key that nobody read may mean it.

constexpr const char* kMoe = R"({"model_type": "qwen3_moe",
    "architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 64, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 24, "intermediate_size": 200,
    "moe_intermediate_size": 40, "vocab_size": 501, "moe_expert_count": 6,
    "num_experts_per_tok": 2})";

constexpr const char* kSmallLlama = R"({"model_type": "llama", "vocab_size": 501, "hidden_size": 64,
    "architectures": ["LlamaForCausalLM"], "num_hidden_layers": 3, "num_attention_heads": 8,
    "num_key_value_heads": 2, "intermediate_size": 200})";

TEST(DoubtfulSize, IsRefusedNamingBothKeys)
{
    EXPECT_EQ(refusal(kMoe),
              "some/config.json: num_experts: missing, while moe_expert_count: 6, which may mean "
              "it, is not understood; call it num_experts if it does; the commands go on with 128 "
              "by --assume");
}

TEST(DoubtfulSize, IsAssumedIfTold)
{
    const Result<ImportedConfig> assumed =
        importedConfig(ownJson(kMoe), "config.json", DoubtfulSize::assume);

    ASSERT_TRUE(assumed.ok());
    EXPECT_EQ(get<MoeFfn>(assumed->model.runs[0].block.ffn).experts, 128);
    EXPECT_THAT(assumed->notes, Contains(HasSubstr("num_experts = 128")));
    EXPECT_THAT(assumed->notes,
                Contains(AllOf(HasSubstr("not understood"), HasSubstr("moe_expert_count"))));
}

// Each key under a name that no library knows.
TEST(DoubtfulSize, IsFoundUnderManyNames)
{
    struct Renamed
    {
        const char* key;
        const char* other;
    };
    for (const auto& [key, other] : {Renamed{"hidden_size", "d_model"},
                                     Renamed{"hidden_size", "dim"},
                                     Renamed{"hidden_size", "embed_dim"},
                                     Renamed{"num_hidden_layers", "n_layers"},
                                     Renamed{"num_hidden_layers", "depth"},
                                     Renamed{"num_attention_heads", "n_heads"},
                                     Renamed{"num_key_value_heads", "n_kv_heads"},
                                     Renamed{"num_key_value_heads", "num_kv_heads"},
                                     Renamed{"intermediate_size", "ffn_dim"},
                                     Renamed{"intermediate_size", "d_ff"},
                                     Renamed{"intermediate_size", "mlp_hidden_size"},
                                     Renamed{"vocab_size", "padded_vocab_size"}}) {
        Json json = ownJson(kSmallLlama);
        json[other] = json[key];
        json.erase(key);
        EXPECT_THAT(refusal(json),
                    AllOf(HasSubstr(std::string(key) + ": missing"), HasSubstr(other)));
    }
}

// What follows from other sizes is missing in most files, and only its own synonyms are meant.
TEST(DoubtfulSize, IsNoneWhereItFollowsFromOthers)
{
    for (const char* patch : {R"({"medusa_num_heads": 5})",
                              R"({"num_key_value_heads": null, "router_heads": 3})",
                              R"({"n_layers": 7})",
                              R"({"ffn_dim": 77})"}) {
        EXPECT_EQ(imported(patched(kSmallLlama, patch)).model.layers(), 3) << patch;
    }
    EXPECT_THAT(refusal(patched(kSmallLlama, R"({"head_size": 16})")),
                HasSubstr("head_dim: missing"));
}

TEST(DoubtfulSize, IsNoneWithoutAContradictingNumber)
{
    Json json = ownJson(kMoe);
    for (const char* value : {"null", "true", "128", "\"six\"", "[6, 6]", "6.5", "{}"}) {
        json["moe_expert_count"] = ownJson(value);
        EXPECT_EQ(get<MoeFfn>(imported(json).model.runs[0].block.ffn).experts, 128) << value;
    }
}

// A complete file may hold whatever else it likes.
TEST(DoubtfulSize, IsNoneInCompleteFiles)
{
    for (const test::KnownModel& known : test::knownModels()) {
        Json json = configOf(known);
        const Model model = imported(json).model;
        json["adapter_dim"] = 7;
        json["draft_num_layers"] = 2;
        json["expert_parallel_degree"] = 4;
        EXPECT_EQ(imported(json).model, model) << known.name;
    }
}

TEST(SimilarKeys, ShareTheirSubject)
{
    EXPECT_TRUE(mayMean("moe_expert_count", "num_experts", Likeness::subject));
    EXPECT_TRUE(mayMean("num_selected_experts", "num_experts_per_tok", Likeness::subject));
    EXPECT_FALSE(mayMean("num_experts_per_tok", "num_experts", Likeness::subject));
    EXPECT_FALSE(mayMean("vocab_rows", "hidden_size", Likeness::subject));
    EXPECT_FALSE(mayMean("window_size", "intermediate_size", Likeness::subject));
    EXPECT_FALSE(mayMean("memory_of_elephants", "num_experts", Likeness::subject));
}

TEST(SimilarKeys, MeanTheSameButForSynonyms)
{
    EXPECT_TRUE(mayMean("n_kv_heads", "num_key_value_heads", Likeness::meaning));
    EXPECT_TRUE(mayMean("n_head_kv", "num_kv_heads", Likeness::meaning));
    EXPECT_TRUE(mayMean("d_head", "head_dim", Likeness::meaning));
    EXPECT_FALSE(mayMean("num_heads", "head_dim", Likeness::meaning));
}

} // namespace
} // namespace flopsmith
