// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/verify_rows.h"
#include "core/base/result.h"
#include "core/kernels/shape.h"
#include "core/model/operation.h"
#include "core/protocol/wire/message.h"

#include <cstddef>
#include <string>
#include <vector>

// What verify() looks at, and what it says about it.
namespace flopsmith::bench {

/// Logits of one token that are compared at most.
inline constexpr int kMaxLogits = 2048;

Count flopsOf(const Operation& operation);
Operation withShape(Operation operation, const Shape& shape);

/// The shape on which a mixer is compared.
Shape shapeToCheck(const Operation& operation, const Count& operations);

/// Of the bytes that the operation's kernel holds, those of the activations of a smaller shape: in
/// proportion to the tokens.
Count activationBytes(const Count& kernelBytes, const Operation& operation, const Operation& small);

/// Of `count` rows of `width` values that cost `flops` together, which ones to compare.
std::vector<std::size_t> chosenRows(std::size_t count,
                                    std::size_t width,
                                    const Count& flops,
                                    const Count& operations);

/// Of the longest sum behind an output value.
double longestSum(const Operation& operation);

/// Tokens, or sequences of a pooler.
std::size_t outputRows(const Operation& operation);

/// What is reported, or the sentence that says how far apart kernel and reference are. `what`
/// narrows down the rows: " at 2048 of 50257 logits". `precision` is the reference's.
Result<CheckRecord> recordOf(const RowsAgreement& compared,
                             std::size_t rows,
                             std::size_t ofRows,
                             const std::string& what,
                             const std::string& precision);

} // namespace flopsmith::bench
