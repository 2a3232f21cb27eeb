// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// How alike two keys must be before one may stand for the other.
enum class Likeness {
    subject, ///< one subject in common: num_experts and moe_expert_count
    meaning, ///< the same words but for synonyms and fillers: num_key_value_heads and n_kv_heads
};

/// Whether a number under the key `unread` may be meant as the size `missing`.
bool mayMean(std::string_view unread, std::string_view missing, Likeness likeness);

} // namespace flopsmith
