// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// How similar two keys must be for one to stand for the other.
enum class Likeness {
    subject, ///< one subject in common: num_experts and moe_expert_count
    meaning, ///< the same words but for synonyms and fillers: num_key_value_heads and n_kv_heads
};

/// Whether the number under the key `unread` may be the size `missing`.
bool mayMean(std::string_view unread, std::string_view missing, Likeness likeness);

} // namespace flopsmith
