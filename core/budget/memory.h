// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/component.h"
#include "core/model/model_cost.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The kinds of memory on a device that holds the whole model.
enum class MemoryKind {
    weights, ///< trainable parameters as stored, with the scales of quantised groups
    fixed, ///< stored but not trained, 32 bits each
    gradients, ///< one per trainable parameter, in the precision of the weights
    optimizer, ///< its state, 32 bits each
    activations, ///< saved by a training forward pass for the backward pass
    kvCache, ///< keys and values, or latents, of all tokens so far
    temporary, ///< the largest operation's own
};

/// Of an element that is stored but not trained.
inline constexpr int kFixedBits = 32;

template <>
std::vector<std::string_view> enumNames<MemoryKind>();

/// "optimizer states": for legends and tables.
std::string_view title(MemoryKind kind);

/// Bytes of one kind that belong to one component.
struct MemoryItem
{
    MemoryKind kind = MemoryKind::weights;
    const Component* component = nullptr;
    Count bytes = 0;
};

/// Memory that a workload needs, on one device and without copies. Items are in the order of the
/// kinds, then of the model; none is zero, and they add up to the total exactly.
struct Memory
{
    std::vector<MemoryItem> items{};
    std::string largestOperation{}; ///< path of the operation that `temporary` belongs to

    Count total() const;
    Count total(MemoryKind kind) const;
    Count total(const Component& component) const;
};

/// The memory of a scenario.
///   activations  training only: what the operations' forward passes save, and the input of every
///                mixer and FFN and of the head once. Selective checkpointing drops written scores
///                and probabilities; full checkpointing keeps B·S·d per block, and one block's
///                activations while that block runs again. Written scores fill S × S, masked or
///                not. Dropout masks are not among them, as dropout is not counted anywhere.
///   kvCache      after prefill or while decoding, of min(C, window) tokens per layer; MLA caches
///                latents, cross-attention the encoder's keys and values; none in training.
///   temporary    inference: the largest sum of what one operation reads and writes; training: the
///                largest result of one operation, because what it reads is kept or was the result
///                before it.
/// Shared parameters count once, and so do their gradients and states. What an allocator loses, and
/// the program itself, come on top.
Memory memory(const Scenario& scenario);

/// The bytes of kvCache alone; 0 in training.
Count cacheBytes(const Scenario& scenario);

/// The part of cacheBytes() that states take, which do not grow with the tokens.
Count stateBytes(const Scenario& scenario);

/// The bytes of kvCache in an engine that caches all tokens in every layer, as many do: equal to
/// memory()'s if no window is shorter than the context.
Count cacheBytesWithoutWindows(const Scenario& scenario);

} // namespace flopsmith
