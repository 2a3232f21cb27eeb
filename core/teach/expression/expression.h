// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/count/lens.h"
#include "core/model/model.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The expressions of lessons: a small language that only reads. core/teach/README.md lists its
// functions.
namespace flopsmith {

/// Numbers of options, counted from 1, in the order in which they belong.
struct OptionOrder
{
    std::vector<int> options;

    bool operator==(const OptionOrder&) const = default;
};

/// The result of an expression: an exact number, a real one, a truth value, a text or an order.
using Value = std::variant<Count, double, bool, std::string, OptionOrder>;

/// The value as a golden has it: "291648307200", "0.398", "true", "3 1 2".
std::string goldenText(const Value& value);

/// The value as a real number; nothing for a truth value, a text or an order.
std::optional<double> numberIn(const Value& value);

/// The context that an expression reads.
struct LessonContext
{
    Scenario scenario{};
    LensId lens = LensId::matmul;
    /// Query-key pairs of causal attention to charge; without it, the lens's own.
    std::optional<PairsRule> pairs{};

    bool operator==(const LessonContext&) const = default;
};

/// The maximum number of cost trees that one evaluation may compute, so that a crossing() of
/// crossing()s ends.
inline constexpr int kMaxTreesPerExpression = 1'000;

struct ExpressionNode;

/// A parsed expression.
class Expression
{
public:
    /// An Error is one sentence with the position, counted from 1.
    static Result<Expression> parsed(std::string_view text);

    /// With `trees`, at most so many cost trees are computed, and their number is subtracted.
    Result<Value> value(const LessonContext& context, int* trees = nullptr) const;
    const std::string& text() const { return m_text; }

private:
    Expression(std::string text, std::shared_ptr<const ExpressionNode> root);

    std::string m_text;
    std::shared_ptr<const ExpressionNode> m_root;
};

/// Parses and evaluates.
Result<Value> evaluate(std::string_view expression,
                       const LessonContext& context,
                       int* trees = nullptr);

/// A lesson's design has at most this many runs of equal blocks.
inline constexpr std::size_t kMaxLessonRuns = 200;

/// Resolves alternative names of a parameter in lessons: "sequence" for "seq".
std::string_view parameterKey(std::string_view key);

/// The largest value of a parameter along a curve.
inline constexpr double kMaxCurveEnd = 2'147'483'647.0;

/// A point of a curve over a parameter.
struct CurvePoint
{
    double x = 0.0;
    double y = 0.0;

    bool operator==(const CurvePoint&) const = default;
};

/// The expression's values over whole values of a parameter from one end to the other, evenly
/// spaced on a logarithmic axis, without repetitions.
Result<std::vector<CurvePoint>> curveOf(const Expression& expression,
                                        const LessonContext& context,
                                        std::string_view parameter,
                                        double from,
                                        double to,
                                        int points = 25);

} // namespace flopsmith
