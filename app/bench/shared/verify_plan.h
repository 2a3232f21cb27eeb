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

// Which rows verify() compares, and its report.
namespace flopsmith::bench {

/// Maximum number of compared logits per token.
inline constexpr int kMaxLogits = 2048;

Count flopsOf(const Operation& operation);
Operation withShape(Operation operation, const Shape& shape);

/// The shape on which a mixer or a whole model is compared.
Shape shapeToCheck(const Operation& operation, const Count& operations);

/// Of the bytes that the operation's kernel holds, those of the activations of a smaller shape: in
/// proportion to the tokens.
Count activationBytes(const Count& kernelBytes, const Operation& operation, const Operation& small);

/// About what a kernel of its own for the smaller shape holds; nothing where it is the operation's.
Count checkingKernelBytes(const Count& kernelBytes,
                          const Operation& operation,
                          const Operation& small);

/// Which of `count` rows of `width` values, which cost `flops` together, to compare.
std::vector<std::size_t> chosenRows(std::size_t count,
                                    std::size_t width,
                                    const Count& flops,
                                    const Count& operations);

/// Terms of the longest contraction behind an output value of a part.
double longestSum(const Operation& operation);

/// Tokens, or sequences of a pooler.
std::size_t outputRows(const Operation& operation);

/// The record of a comparison, or an Error with the distance between kernel and reference. `what`
/// names the compared rows: " at 2048 of 50257 logits". `precision` is the reference's.
Result<CheckRecord> recordOf(const RowsAgreement& compared,
                             std::size_t rows,
                             std::size_t ofRows,
                             const std::string& what,
                             const std::string& precision);

} // namespace flopsmith::bench
