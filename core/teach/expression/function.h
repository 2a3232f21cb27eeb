// SPDX-License-Identifier: MIT
#pragma once

#include "core/teach/expression/node.h"
#include "core/teach/expression/scope.h"

#include <string_view>
#include <vector>

namespace flopsmith {

/// A function of the language.
struct ExpressionFunction
{
    using Operands = std::vector<ExpressionNodePtr>;

    std::string_view name;
    std::size_t minOperands = 0;
    std::size_t maxOperands = 0;
    std::string_view usage; ///< "share('ffn')"
    Result<Value> (*value)(const Operands& operands, const ExpressionScope& scope);
};

/// All functions, sorted by topic.
const std::vector<ExpressionFunction>& expressionFunctions();

/// Checks that every function in the tree exists and has a valid number of arguments; the Error
/// says what is wrong and where.
Status checkFunctions(const ExpressionNode& node);

/// The value of a call whose function checkFunctions() has found.
Result<Value> called(const ExpressionNode& call, const ExpressionScope& scope);

/// The value of a part of an expression; defined beside Expression.
Result<Value> evaluated(const ExpressionNode& node, const ExpressionScope& scope);

} // namespace flopsmith
