// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/present/inside/inside.h"

#include <optional>

// Texts about steps and operations.

namespace flopsmith {
namespace {

std::string joinedTexts(const std::vector<std::string>& texts)
{
    std::string text;
    for (const std::string& each : texts) {
        text += (text.empty() ? "" : " \xC2\xB7 ") + each;
    }
    return text;
}

} // namespace

std::string insideValue(const InsidePicture& picture, const InsideCost& cost, InsideMeasure measure)
{
    switch (measure) {
    case InsideMeasure::flops:
        if (!picture.priced) {
            return "\xE2\x80\x93";
        }
        return cost.uncounted ? "uncounted" : siText(toDouble(cost.flops));
    case InsideMeasure::parameters: return parametersText(toDouble(cost.parameters));
    case InsideMeasure::bytes: return bytesText(toDouble(cost.bytes));
    case InsideMeasure::time: break; // of a step, not of its cost
    }
    return {};
}

std::string insideValue(const InsidePicture& picture, const InsideStep& step, InsideMeasure measure)
{
    if (measure != InsideMeasure::time) {
        return insideValue(picture, step.cost, measure);
    }
    return step.time.text.empty() ? "\xE2\x80\x93" : step.time.text;
}

double insideAmount(const InsideStep& step, InsideMeasure measure)
{
    return measure == InsideMeasure::time ? step.time.seconds : toDouble(step.cost.of(measure));
}

std::string insideShapes(const InsideStep& operation, ShapeText text)
{
    const auto shown = [text](const std::optional<WireShape>& shape) -> std::string {
        if (!shape) {
            return "\xE2\x80\xA6";
        }
        return text == ShapeText::symbols ? shape->symbols() : shape->numbers();
    };
    if (!operation.in && !operation.out) {
        return {};
    }
    return shown(operation.in) + " \xE2\x86\x92 " + shown(operation.out);
}

std::string insideSentence(const InsidePicture& picture, const InsideStep& operation)
{
    std::vector<std::string> texts{operation.name};
    const std::string shapes = insideShapes(operation, ShapeText::symbols);
    if (!shapes.empty()) {
        texts.push_back(shapes);
        texts.push_back(insideShapes(operation, ShapeText::numbers));
    }
    if (!operation.shape.source.empty()) {
        texts.push_back("reads the " + operation.shape.source);
    }
    if (operation.cost.uncounted) {
        texts.emplace_back("executed, but not counted under this lens");
    } else if (picture.priced) {
        texts.push_back(groupedDigits(operation.cost.flops) + " " + picture.unit);
        if (picture.total.flops > 0) {
            const double share = toDouble(operation.cost.flops) / toDouble(picture.total.flops);
            texts.push_back(percentText(share) + " of the block");
        }
    }
    texts.push_back(groupedDigits(operation.cost.parameters) + " parameters");
    texts.push_back(bytesText(toDouble(operation.cost.bytes)) + " moved");
    if (!operation.time.text.empty()) {
        texts.push_back((operation.time.seconds > 0.0 ? "measured " : "time: ")
                        + operation.time.text
                        + (operation.time.reason.empty() ? "" : ", " + operation.time.reason));
    }
    return joinedTexts(texts);
}

} // namespace flopsmith
