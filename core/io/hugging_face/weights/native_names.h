// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace flopsmith {

/// Which rows of a tensor of ours a native tensor holds.
enum class NativeRows {
    all,
    queries, ///< of [(H + 2G)·h, d], queries before keys before values
    keys,
    values,
};

/// How its elements are stored.
enum class NativeForm {
    same,
    transposed, ///< [in, out], as GPT-2's Conv1D has it
    lessOne, ///< γ − 1, as Gemma's norms have it
};

/// One tensor of the library's checkpoints and its counterpart here. "{}" stands for the number of
/// a block, on both sides.
struct NativeName
{
    std::string_view ours; ///< as the state dict of an exported program has it:
        ///< "blocks.{}.attention.qkv.weight"
    std::string_view native; ///< "h.{}.attn.c_attn.weight"
    NativeForm form = NativeForm::same;
    NativeRows rows = NativeRows::all;
    bool hasPrefix = true; ///< has the family's prefix; heads do not
    /// A second tensor of the library's classes: equal to the first one if the head is tied, and
    /// unused otherwise. Files may have either or both.
    std::string_view second{};
};

/// The names of one family.
struct NativeFamily
{
    std::string_view modelType; ///< "gpt2"
    /// Of tensors of the plain model within one that has a head: "transformer.". Checkpoints of the
    /// plain model do not have it.
    std::string_view prefix;
    std::span<const NativeName> names;
    std::span<const NativeName> norms; ///< further names, where families of one kind differ
    /// Ends of names that are not read here: tables that the library computes, second names of tied
    /// matrices.
    std::span<const std::string_view> unread;
};

/// Null for a family whose names are unknown here.
const NativeFamily* nativeFamily(std::string_view modelType);

/// All families whose names are known.
std::span<const NativeFamily> nativeFamilies();

} // namespace flopsmith
