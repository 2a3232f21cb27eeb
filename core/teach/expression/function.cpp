// SPDX-License-Identifier: MIT
#include "core/teach/expression/function.h"

#include "core/base/printable.h"
#include "core/teach/expression/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flopsmith {
namespace {

using Operands = ExpressionFunction::Operands;

Result<std::string> textOf(const ExpressionNodePtr& node, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const Value value, evaluated(*node, scope));
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) {
        return errorAt(node->position,
                       "expected a text in single quotes, found " + std::string(kindOf(value)));
    }
    return *text;
}

Result<double> realOf(const ExpressionNodePtr& node, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const Value value, evaluated(*node, scope));
    const auto number = numberIn(value);
    if (!number) {
        return errorAt(node->position, "expected a number, found " + std::string(kindOf(value)));
    }
    return *number;
}

Result<Count> wholeOf(const ExpressionNodePtr& node, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const Value value, evaluated(*node, scope));
    const auto* count = std::get_if<Count>(&value);
    if (count == nullptr) {
        return errorAt(node->position, "expected a whole number");
    }
    return *count;
}

/// A function of one text: a part or a kind.
template <Result<Value> (ExpressionScope::*figure)(std::string_view) const>
Result<Value> figureOfText(const Operands& operands, const ExpressionScope& scope)
{
    const Result<std::string> text =
        operands.empty() ? Result<std::string>(std::string()) : textOf(operands[0], scope);
    return text ? (scope.*figure)(*text) : text.error();
}

/// A function without arguments.
template <Result<Value> (ExpressionScope::*figure)() const>
Result<Value> figureOfScope(const Operands& /*operands*/, const ExpressionScope& scope)
{
    return (scope.*figure)();
}

Result<Value> parametersOf(const Operands& operands, const ExpressionScope& scope)
{
    if (operands.empty()) {
        return scope.parameters();
    }
    const Result<std::string> part = textOf(operands[0], scope);
    return part ? scope.parameters(*part) : part.error();
}

Result<Value> underLens(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::string name, textOf(operands[0], scope));
    const std::optional<LensId> id = lensNamed(name);
    if (!id) {
        return Error{"there is no lens \"" + excerpt(name) + "\"; flopsmith lenses lists them"};
    }
    return evaluated(*operands[1], scope.withLens(*id));
}

Result<Value> underPairs(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::string name, textOf(operands[0], scope));
    if (name != "exact" && name != "half" && name != "full") {
        return Error{"\"" + excerpt(name) + "\" is no rule of pairs; known are exact, half, full"};
    }
    const PairsRule uneven = name == "half" ? PairsRule::half : PairsRule::full;
    return evaluated(*operands[1], scope.withPairs(name == "exact" ? PairsRule::exact : uneven));
}

Result<Value> changedBy(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::string changes, textOf(operands[0], scope));
    const Result<ExpressionScope> there = scope.with(changes);
    return there ? evaluated(*operands[1], *there) : there.error();
}

/// Two expressions over a parameter, as crossing() compares them.
class CrossingCurves
{
public:
    CrossingCurves(const Operands& operands, std::string parameter, const ExpressionScope& scope)
        : m_first(*operands[0])
        , m_second(*operands[1])
        , m_parameter(std::move(parameter))
        , m_scope(scope)
    {}

    /// Below 0, 0 or above 0: the first one compared with the second.
    Result<int> orderAt(Count x) const
    {
        FLOPSMITH_TRY(const ExpressionScope there, m_scope.at(m_parameter, x));
        FLOPSMITH_TRY(const Value first, evaluated(m_first, there));
        const Result<Value> second = evaluated(m_second, there);
        return second ? compared(first, *second) : second.error();
    }

private:
    const ExpressionNode& m_first;
    const ExpressionNode& m_second;
    std::string m_parameter;
    const ExpressionScope& m_scope;
};

// The first whole x of (low, high] at which the order is no longer `before`, by bisection.
Result<Value> firstChange(const CrossingCurves& curves, int before, Count low, Count high)
{
    while (high - low > 1) {
        const Count middle = low + (high - low) / 2;
        FLOPSMITH_TRY(const int order, curves.orderAt(middle));
        (order == before ? low : high) = middle;
    }
    return Value(high);
}

Result<Value> crossingBetween(const CrossingCurves& curves, Count from, Count to)
{
    FLOPSMITH_TRY(const int first, curves.orderAt(from));
    if (first == 0) {
        return Value(from);
    }
    FLOPSMITH_TRY(const int last, curves.orderAt(to));
    if (last == first) {
        return Error{"the two curves do not cross between " + digits(from) + " and " + digits(to)};
    }
    return firstChange(curves, first, from, to);
}

Result<Value> crossing(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::string parameter, textOf(operands[2], scope));
    FLOPSMITH_TRY(const Count from, wholeOf(operands[3], scope));
    FLOPSMITH_TRY(const Count to, wholeOf(operands[4], scope));
    constexpr auto kMax = static_cast<Count>(kMaxCurveEnd);
    if (from < 0 || from >= to || to > kMax) {
        return Error{"crossing() goes from a whole number to a larger one, at most "
                     + digits(kMax)};
    }
    return crossingBetween(CrossingCurves(operands, parameter, scope), from, to);
}

Result<std::vector<Value>> numbersOf(const Operands& operands, const ExpressionScope& scope)
{
    std::vector<Value> numbers;
    for (const ExpressionNodePtr& operand : operands) {
        FLOPSMITH_TRY(Value value, evaluated(*operand, scope));
        if (!numberIn(value)) {
            return errorAt(operand->position,
                           "expected a number, found " + std::string(kindOf(value)));
        }
        numbers.push_back(std::move(value));
    }
    return numbers;
}

bool isLess(const Value& a, const Value& b)
{
    const Result<int> order = compared(a, b);
    return order.ok() && *order < 0;
}

bool isMore(const Value& a, const Value& b)
{
    return isLess(b, a);
}

using Before = bool (*)(const Value& a, const Value& b);

/// The first operand that comes before all others.
template <Before before>
Result<Value> extreme(const Operands& operands, const ExpressionScope& scope)
{
    const Result<std::vector<Value>> numbers = numbersOf(operands, scope);
    return numbers ? Result<Value>(*std::min_element(numbers->begin(), numbers->end(), before))
                   : numbers.error();
}

/// Its number, counted from 1.
template <Before before>
Result<Value> placeOfExtreme(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::vector<Value> numbers, numbersOf(operands, scope));
    const auto found = std::min_element(numbers.begin(), numbers.end(), before);
    return Value(Count{found - numbers.begin() + 1});
}

// Largest first; ties keep their order.
Result<Value> ordered(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::vector<Value> numbers, numbersOf(operands, scope));
    OptionOrder order;
    order.options.resize(numbers.size());
    std::iota(order.options.begin(), order.options.end(), 1);
    const auto numberOf = [&numbers](int option) -> const Value& {
        return numbers[static_cast<std::size_t>(option - 1)];
    };
    std::stable_sort(order.options.begin(), order.options.end(), [&numberOf](int a, int b) {
        return isMore(numberOf(a), numberOf(b));
    });
    return Value(order);
}

// Whole numbers stay as they are.
template <double (*toWhole)(double)>
Result<Value> roundedBy(const Operands& operands, const ExpressionScope& scope)
{
    const Result<Value> value = evaluated(*operands[0], scope);
    if (!value || std::holds_alternative<Count>(*value)) {
        return value;
    }
    const auto number = numberIn(*value);
    return number ? wholeValue(toWhole(*number))
                  : Error{"expected a number, found " + std::string(kindOf(*value))};
}

double toNearest(double number)
{
    return std::round(number);
}

double toLower(double number)
{
    return std::floor(number);
}

double toUpper(double number)
{
    return std::ceil(number);
}

Result<Value> rounded(const Operands& operands, const ExpressionScope& scope)
{
    if (operands.size() == 1) {
        return roundedBy<toNearest>(operands, scope);
    }
    const Result<double> number = realOf(operands[0], scope);
    const Result<Count> decimals = wholeOf(operands[1], scope);
    if (!number || !decimals) {
        return number ? decimals.error() : number.error();
    }
    constexpr int kMaxDecimals = 12;
    if (*decimals < 0 || *decimals > kMaxDecimals) {
        return Error{"round() keeps 0 to " + std::to_string(kMaxDecimals) + " decimals"};
    }
    const double scale = std::pow(10.0, static_cast<double>(*decimals));
    return realValue(std::round(*number * scale) / scale);
}

double squareRoot(double number)
{
    return std::sqrt(number);
}

double binaryLogarithm(double number)
{
    return std::log2(number);
}

double decimalLogarithm(double number)
{
    return std::log10(number);
}

template <double (*real)(double)>
Result<Value> realFunction(const Operands& operands, const ExpressionScope& scope)
{
    const Result<double> number = realOf(operands[0], scope);
    return number ? realValue(real(*number)) : number.error();
}

Result<Value> absolute(const Operands& operands, const ExpressionScope& scope)
{
    FLOPSMITH_TRY(const std::vector<Value> numbers, numbersOf(operands, scope));
    const Value zero(Count{0});
    return isLess(numbers.front(), zero) ? differenceOf(zero, numbers.front())
                                         : Result<Value>(numbers.front());
}

const ExpressionFunction* functionNamed(std::string_view name)
{
    const auto& all = expressionFunctions();
    const auto found = std::find_if(
        all.begin(), all.end(), [name](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::string functionNames()
{
    std::string names;
    for (const ExpressionFunction& each : expressionFunctions()) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
}

Status checkCall(const ExpressionNode& call)
{
    const ExpressionFunction* function = functionNamed(call.name);
    if (function == nullptr) {
        return errorAt(call.position,
                       "there is no function \"" + excerpt(call.name) + "\"; there are "
                           + functionNames());
    }
    const std::size_t count = call.operands.size();
    if (count < function->minOperands || count > function->maxOperands) {
        return errorAt(call.position,
                       std::to_string(count) + " arguments do not fit; the function is used as in "
                           + std::string(function->usage));
    }
    return Done{};
}

} // namespace

const std::vector<ExpressionFunction>& expressionFunctions()
{
    using Scope = ExpressionScope;
    static const std::vector<ExpressionFunction> kFunctions{
        {"total", 0, 0, "total()", figureOfScope<&Scope::total>},
        {"flops", 1, 1, "flops('ffn')", figureOfText<&Scope::flops>},
        {"share", 1, 1, "share('ffn')", figureOfText<&Scope::share>},
        {"macs", 0, 0, "macs()", figureOfScope<&Scope::macs>},
        {"params", 0, 1, "params('ffn')", parametersOf},
        {"active_params", 0, 0, "active_params()", figureOfScope<&Scope::activeParameters>},
        {"bytes", 0, 1, "bytes('weights')", figureOfText<&Scope::memoryBytes>},
        {"moved", 0, 1, "moved('kv_read')", figureOfText<&Scope::movedBytes>},
        {"kv_per_token", 0, 0, "kv_per_token()", figureOfScope<&Scope::cacheBytesPerToken>},
        {"training_total", 0, 0, "training_total()", figureOfScope<&Scope::trainingTotal>},
        {"tokens", 0, 0, "tokens()", figureOfScope<&Scope::tokens>},
        {"value", 1, 1, "value('d_model')", figureOfText<&Scope::parameterValue>},
        {"lens", 2, 2, "lens('exact', total())", underLens},
        {"pairs", 2, 2, "pairs('full', total())", underPairs},
        {"with", 2, 2, "with('seq=2048', total())", changedBy},
        {"crossing", 5, 5, "crossing(flops('ffn'), flops('scores'), 'seq', 1, 8192)", crossing},
        {"argmax", 1, kMaxArguments, "argmax(flops('ffn'), flops('head'))", placeOfExtreme<isMore>},
        {"argmin", 1, kMaxArguments, "argmin(flops('ffn'), flops('head'))", placeOfExtreme<isLess>},
        {"order", 1, kMaxArguments, "order(flops('ffn'), flops('head'))", ordered},
        {"min", 1, kMaxArguments, "min(1, 2)", extreme<isLess>},
        {"max", 1, kMaxArguments, "max(1, 2)", extreme<isMore>},
        {"round", 1, 2, "round(share('ffn'), 3)", rounded},
        {"floor", 1, 1, "floor(2.5)", roundedBy<toLower>},
        {"ceil", 1, 1, "ceil(2.5)", roundedBy<toUpper>},
        {"abs", 1, 1, "abs(1 - 2)", absolute},
        {"sqrt", 1, 1, "sqrt(2)", realFunction<squareRoot>},
        {"log2", 1, 1, "log2(8)", realFunction<binaryLogarithm>},
        {"log10", 1, 1, "log10(1000)", realFunction<decimalLogarithm>},
    };
    return kFunctions;
}

Status checkFunctions(const ExpressionNode& node)
{
    if (node.kind == ExpressionNode::Kind::call) {
        FLOPSMITH_RETURN_IF_ERROR(checkCall(node));
    }
    for (const ExpressionNodePtr& operand : node.operands) {
        FLOPSMITH_RETURN_IF_ERROR(checkFunctions(*operand));
    }
    return Done{};
}

Result<Value> called(const ExpressionNode& call, const ExpressionScope& scope)
{
    return functionNamed(call.name)->value(call.operands, scope);
}

} // namespace flopsmith
