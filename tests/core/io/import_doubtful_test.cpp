// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hugging_face/similar_keys.h"
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
using Json = nlohmann::ordered_json;

// A size that is missing while a key that nobody read may mean it.

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
