// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// Titles of four texts about the cost of transformers, whose figures this program counts again.
namespace flopsmith {

inline constexpr std::string_view kPerTokenNote = "Transformer Per-Token FLOPs Estimation";
inline constexpr std::string_view kSparseFfnNote =
    "UltraEfficientSparseFFN \xE2\x80\x93 What It Is";
inline constexpr std::string_view kOnePagerNote = "Per-Layer FLOPs (One-Pager)";
inline constexpr std::string_view kFfnTutorial =
    "Beyond Attention: A Deep Dive into Efficient FFN Architectures in LLMs";

/// For statements in both of the first two.
inline constexpr std::string_view kPerTokenAndSparseFfnNotes =
    "Transformer Per-Token FLOPs Estimation; UltraEfficientSparseFFN \xE2\x80\x93 What It Is";

} // namespace flopsmith
