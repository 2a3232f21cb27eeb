// SPDX-License-Identifier: MIT
#include "core/parameter/validation.h"
#include "core/teach/play/lesson_play.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr int kTrueCurvePoints = 25;

Error doesNotFit(const Ask& ask)
{
    return {"the prediction does not fit a question of the kind "
            + std::string(enumName(ask.kind))};
}

PredictionScore rightOrWrong(bool isRight)
{
    return {.isRight = isRight, .points = isRight ? 1.0 : 0.0, .distance = isRight ? 0.0 : 1.0};
}

// Full marks up to `right`, decreasing to none at three times that distance.
double pointsWithin(double distance, double right)
{
    if (distance <= right) {
        return 1.0;
    }
    constexpr double kFarthest = 3.0;
    return std::clamp((kFarthest * right - distance) / ((kFarthest - 1.0) * right), 0.0, 1.0);
}

Result<PredictionScore> choiceScore(const Value& answer, const ChosenOption& chosen)
{
    const auto* option = std::get_if<Count>(&answer);
    return option != nullptr ? Result<PredictionScore>(rightOrWrong(*option == chosen.option))
                             : Error{"the answer of a choice is the number of an option"};
}

Result<PredictionScore> numberScore(const Ask& ask, const Value& answer, double predicted)
{
    const auto truth = numberIn(answer);
    if (!truth || *truth <= 0.0) {
        return Error{"the answer of a number question is a number above 0"};
    }
    const double distance = std::abs(std::log2(predicted / *truth));
    // Rounding may put the end of the factor slightly outside.
    constexpr double kHair = 1e-12;
    const double right = std::log2(ask.factor) + kHair;
    return PredictionScore{.isRight = distance <= right,
                           .points = pointsWithin(distance, right),
                           .distance = distance};
}

int placeIn(const OptionOrder& order, int option)
{
    const auto found = std::find(order.options.begin(), order.options.end(), option);
    return static_cast<int>(found - order.options.begin());
}

Result<PredictionScore> orderScore(const Value& answer, const OptionOrder& predicted)
{
    const auto* truth = std::get_if<OptionOrder>(&answer);
    if (truth == nullptr || truth->options.size() != predicted.options.size()) {
        return Error{"the answer of an order question is order() of as many options"};
    }
    int pairs = 0;
    int wrong = 0;
    for (std::size_t i = 0; i < truth->options.size(); ++i) {
        for (std::size_t j = i + 1; j < truth->options.size(); ++j) {
            ++pairs;
            wrong += placeIn(predicted, truth->options[i]) > placeIn(predicted, truth->options[j])
                ? 1
                : 0;
        }
    }
    const double share = pairs > 0 ? static_cast<double>(wrong) / pairs : 0.0;
    return PredictionScore{.isRight = wrong == 0, .points = 1.0 - share, .distance = share};
}

// The height of a drawn line at x, straight between its points on both logarithmic axes and level
// beyond its ends.
double drawnAt(const std::vector<CurvePoint>& line, double x)
{
    const auto right = std::find_if(
        line.begin(), line.end(), [x](const CurvePoint& point) { return point.x >= x; });
    if (right == line.end()) {
        return line.back().y;
    }
    if (right == line.begin() || right->x == x) {
        return right->y;
    }
    const CurvePoint& left = *(right - 1);
    const double part = std::log(x / left.x) / std::log(right->x / left.x);
    return left.y * std::pow(right->y / left.y, part);
}

bool liesAboveZero(const std::vector<CurvePoint>& curve)
{
    return !curve.empty() && std::all_of(curve.begin(), curve.end(), [](const CurvePoint& point) {
        return point.y > 0.0;
    });
}

// Mean |log10| between a true curve, which is above 0, and a drawn one.
double curveDistance(const std::vector<CurvePoint>& truth, const std::vector<CurvePoint>& line)
{
    double sum = 0.0;
    for (const CurvePoint& point : truth) {
        sum += std::abs(std::log10(drawnAt(line, point.x) / point.y));
    }
    return sum / static_cast<double>(truth.size());
}

Result<PredictionScore> sketchScore(const std::vector<std::vector<CurvePoint>>& truth,
                                    const DrawnCurves& drawn)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (!liesAboveZero(truth[i])) { // it has no place on a logarithmic axis
            return Error{"a curve of a sketch has values that are not above 0"};
        }
        sum += curveDistance(truth[i], drawn.curves[i]);
    }
    const double distance = truth.empty() ? 0.0 : sum / static_cast<double>(truth.size());
    return PredictionScore{.isRight = distance <= kRightSketchDistance,
                           .points = pointsWithin(distance, kRightSketchDistance),
                           .distance = distance};
}

Result<PredictionScore> buildScore(const Ask& ask,
                                   const LessonContext& context,
                                   const Scenario& design)
{
    LessonContext built = context;
    built.scenario = design;
    FLOPSMITH_TRY(const Value value, evaluate(ask.answer.expression, built));
    const auto* meets = std::get_if<bool>(&value);
    return meets != nullptr ? Result<PredictionScore>(rightOrWrong(*meets))
                            : Error{"the answer of a build question is true or false"};
}

bool isDrawable(const std::vector<CurvePoint>& line)
{
    const auto isAboveZero = [](const CurvePoint& point) {
        return std::isfinite(point.x) && std::isfinite(point.y) && point.x > 0.0 && point.y > 0.0;
    };
    const auto isNotLeftOf = [](const CurvePoint& a, const CurvePoint& b) { return a.x >= b.x; };
    return !line.empty() && line.size() <= kMaxDrawnPoints
        && std::all_of(line.begin(), line.end(), isAboveZero)
        && std::adjacent_find(line.begin(), line.end(), isNotLeftOf) == line.end();
}

bool isOrderOf(const OptionOrder& order, std::size_t options)
{
    std::vector<int> sorted = order.options;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<int>(i) + 1) {
            return false;
        }
    }
    return sorted.size() == options;
}

} // namespace

Status checkPrediction(const Ask& ask, const Prediction& prediction)
{
    bool fits = false;
    switch (ask.kind) {
    case QuestionKind::choice: {
        const auto* chosen = std::get_if<ChosenOption>(&prediction);
        fits = chosen != nullptr && chosen->option >= 1
            && chosen->option <= static_cast<int>(ask.options.size());
        break;
    }
    case QuestionKind::number: {
        const auto* number = std::get_if<double>(&prediction);
        fits = number != nullptr && std::isfinite(*number) && *number > 0.0;
        break;
    }
    case QuestionKind::order: {
        const auto* order = std::get_if<OptionOrder>(&prediction);
        fits = order != nullptr && isOrderOf(*order, ask.options.size());
        break;
    }
    case QuestionKind::sketch: {
        const auto* drawn = std::get_if<DrawnCurves>(&prediction);
        fits = drawn != nullptr && drawn->curves.size() == ask.curves.size()
            && std::all_of(drawn->curves.begin(), drawn->curves.end(), isDrawable);
        break;
    }
    case QuestionKind::build: {
        const auto* design = std::get_if<Scenario>(&prediction);
        if (design != nullptr) {
            return validated(*design);
        }
        break;
    }
    }
    return fits ? Status(Done{}) : Status(doesNotFit(ask));
}

Result<std::vector<std::vector<CurvePoint>>> trueCurves(const Ask& ask,
                                                        const LessonContext& context)
{
    std::vector<std::vector<CurvePoint>> curves;
    for (const SketchCurve& each : ask.curves) {
        FLOPSMITH_TRY(const Expression expression, Expression::parsed(each.expression));
        FLOPSMITH_TRY(auto curve,
                      curveOf(expression,
                              context,
                              ask.axis.parameter,
                              ask.axis.from,
                              ask.axis.to,
                              kTrueCurvePoints));
        curves.push_back(std::move(curve));
    }
    return curves;
}

Result<PredictionScore> scoreOf(const Ask& ask,
                                const Prediction& prediction,
                                const LessonContext& context)
{
    FLOPSMITH_RETURN_IF_ERROR(checkPrediction(ask, prediction));
    if (ask.kind == QuestionKind::build) {
        return buildScore(ask, context, std::get<Scenario>(prediction));
    }
    if (ask.kind == QuestionKind::sketch) {
        const auto curves = trueCurves(ask, context);
        return curves ? sketchScore(*curves, std::get<DrawnCurves>(prediction)) : curves.error();
    }
    FLOPSMITH_TRY(const Value answer, evaluate(ask.answer.expression, context));
    if (ask.kind == QuestionKind::choice) {
        return choiceScore(answer, std::get<ChosenOption>(prediction));
    }
    return ask.kind == QuestionKind::number ? numberScore(ask, answer, std::get<double>(prediction))
                                            : orderScore(answer, std::get<OptionOrder>(prediction));
}

} // namespace flopsmith
