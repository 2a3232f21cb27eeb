// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/expression/expression.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A part of a parsed expression.
struct ExpressionNode
{
    enum class Kind {
        literal,
        call, ///< of the function `name`
        operation, ///< the operator `name` with one or two operands
    };

    Kind kind = Kind::literal;
    std::size_t position = 1; ///< of its first character or operator in the text, counted from 1
    Value literal{};
    std::string name{}; ///< "crossing"; "+", "not"
    std::vector<std::shared_ptr<const ExpressionNode>> operands{};
};

using ExpressionNodePtr = std::shared_ptr<const ExpressionNode>;

/// "character 12: …".
Error errorAt(std::size_t position, std::string_view sentence);

inline constexpr std::size_t kMaxExpressionLength = 2'000;
inline constexpr int kMaxExpressionDepth = 40;
inline constexpr std::size_t kMaxArguments = 16;

/// The tree of an expression within the limits above.
Result<ExpressionNodePtr> parsedExpression(std::string_view text);

} // namespace flopsmith
