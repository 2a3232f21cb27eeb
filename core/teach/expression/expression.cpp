// SPDX-License-Identifier: MIT
#include "core/teach/expression/expression.h"

#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "core/teach/expression/arithmetic.h"
#include "core/teach/expression/function.h"
#include "core/teach/expression/node.h"
#include "core/teach/expression/scope.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

using NodeKind = ExpressionNode::Kind;

Result<Value> comparison(std::string_view name, const Value& a, const Value& b)
{
    if (name == "==" || name == "!=") {
        const Result<bool> equal = areEqual(a, b);
        return equal ? Result<Value>(Value(*equal == (name == "=="))) : equal.error();
    }
    FLOPSMITH_TRY(const int order, compared(a, b));
    if (name == "<") {
        return Value(order < 0);
    }
    if (name == "<=") {
        return Value(order <= 0);
    }
    return name == ">" ? Value(order > 0) : Value(order >= 0);
}

Result<Value> arithmetic(std::string_view name, const Value& a, const Value& b)
{
    switch (name.front()) {
    case '+': return sumOf(a, b);
    case '-': return differenceOf(a, b);
    case '*': return productOf(a, b);
    case '/': return quotientOf(a, b);
    case '^': return powerOf(a, b);
    default: return comparison(name, a, b);
    }
}

Result<bool> truthOf(const Result<Value>& value)
{
    if (!value) {
        return value.error();
    }
    const auto* truth = std::get_if<bool>(&*value);
    if (truth == nullptr) {
        return Error{"expected true or false, found " + std::string(kindOf(*value))};
    }
    return *truth;
}

// Does not look at the second operand if the first one decides.
Result<Value> logical(const ExpressionNode& node, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const bool first, truthOf(evaluated(*node.operands[0], scope)));
    if (node.name == "not") {
        return Value(!first);
    }
    if (first == (node.name == "or")) {
        return Value(first);
    }
    const Result<bool> second = truthOf(evaluated(*node.operands[1], scope));
    return second ? Result<Value>(Value(*second)) : second.error();
}

Result<Value> operated(const ExpressionNode& node, const ExpressionScope& scope)
{
    if (node.name == "not" || node.name == "and" || node.name == "or") {
        return logical(node, scope);
    }
    const Result<Value> first = evaluated(*node.operands[0], scope);
    if (!first || node.operands.size() == 1) {
        return first ? differenceOf(Value(Count{0}), *first) : first;
    }
    const Result<Value> second = evaluated(*node.operands[1], scope);
    return second ? arithmetic(node.name, *first, *second) : second;
}

bool hasPosition(const std::string& message)
{
    return message.rfind("character ", 0) == 0;
}

} // namespace

Result<Value> evaluated(const ExpressionNode& node, const ExpressionScope& scope)
{
    FLOPSMITH_RETURN_IF_ERROR(scope.budget().takeStep());
    if (node.kind == NodeKind::literal) {
        return node.literal;
    }
    Result<Value> value = node.kind == NodeKind::call ? called(node, scope) : operated(node, scope);
    if (!value && !hasPosition(value.error().message)) {
        return errorAt(node.position, value.error().message);
    }
    return value;
}

Expression::Expression(std::string text, std::shared_ptr<const ExpressionNode> root)
    : m_text(std::move(text))
    , m_root(std::move(root))
{}

Result<Expression> Expression::parsed(std::string_view text)
{
    FLOPSMITH_TRY(ExpressionNodePtr root, parsedExpression(text));
    FLOPSMITH_RETURN_IF_ERROR(checkFunctions(*root));
    return Expression(std::string(text), std::move(root));
}

Result<Value> Expression::value(const LessonContext& context, int* trees) const
{
    EvaluationBudget budget;
    if (trees != nullptr) {
        budget.trees = std::min(budget.trees, *trees);
        *trees -= budget.trees;
    }
    Result<Value> value = evaluated(*m_root, ExpressionScope(context, budget));
    if (trees != nullptr) {
        *trees += budget.trees;
    }
    return value;
}

Result<Value> evaluate(std::string_view expression, const LessonContext& context, int* trees)
{
    const Result<Expression> parsed = Expression::parsed(expression);
    return parsed ? parsed->value(context, trees) : parsed.error();
}

namespace {

// Whole numbers from one end to the other, evenly spaced on a logarithmic scale, without
// repetitions.
std::vector<Count> logarithmicSteps(double from, double to, int points)
{
    std::vector<Count> steps;
    for (int i = 0; i < points; ++i) {
        const double part = points > 1 ? static_cast<double>(i) / (points - 1) : 0.0;
        const auto step = static_cast<Count>(std::llround(from * std::pow(to / from, part)));
        if (steps.empty() || step > steps.back()) {
            steps.push_back(step);
        }
    }
    return steps;
}

Result<double> numberAt(const Expression& expression,
                        const LessonContext& context,
                        std::string_view parameter,
                        Count x,
                        int& trees)
{
    LessonContext there = context;
    FLOPSMITH_RETURN_IF_ERROR(setParameter(there.scenario, parameterKey(parameter), digits(x)));
    if (there.scenario.model.runs.size() > kMaxLessonRuns) {
        return Error{"the design has too many different blocks for a lesson"};
    }
    FLOPSMITH_RETURN_IF_ERROR(validated(there.scenario));
    FLOPSMITH_TRY(const Value value, expression.value(there, &trees));
    const auto number = numberIn(value);
    return number ? Result<double>(*number)
                  : Error{"a curve needs numbers, found " + std::string(kindOf(value))};
}

} // namespace

Result<std::vector<CurvePoint>> curveOf(const Expression& expression,
                                        const LessonContext& context,
                                        std::string_view parameter,
                                        double from,
                                        double to,
                                        int points)
{
    constexpr int kMaxPoints = 200;
    if (!(from >= 1.0 && from < to && to <= kMaxCurveEnd) || points < 2 || points > kMaxPoints) {
        return Error{"a curve goes from at least 1 to a larger number, at most 2147483647"};
    }
    std::vector<CurvePoint> curve;
    int trees = kMaxTreesPerExpression; // of all points together
    for (const Count x : logarithmicSteps(from, to, points)) {
        FLOPSMITH_TRY(const double y, numberAt(expression, context, parameter, x, trees));
        curve.push_back({toDouble(x), y});
    }
    return curve;
}

} // namespace flopsmith
