// SPDX-License-Identifier: MIT
#include "core/io/reports/compared_cells.h"

#include "core/base/text.h"

#include <cmath>
#include <optional>
#include <variant>

namespace flopsmith {
namespace {

bool isParameters(const ComparedFigure& figure)
{
    const auto metric = metricNamed(figure.key.substr(0, figure.key.find('/')));
    return metric && countsParameters(*metric);
}

// Without a sign: "7.91 G", "22.5 MB", "614 ms".
std::string sizeText(const ComparedFigure& figure, double size)
{
    return isBytes(figure)     ? bytesText(size)
        : isDuration(figure)   ? durationText(size)
        : isParameters(figure) ? parametersText(size)
                               : siText(size);
}

Cell numberCell(const ComparedFigure& figure, const MetricValue& value)
{
    if (const auto* count = std::get_if<Count>(&value)) {
        return isBytes(figure)     ? Cell::bytes(*count)
            : isParameters(figure) ? Cell::parameters(*count)
                                   : Cell::count(*count);
    }
    Cell cell = Cell::number(std::get<double>(value));
    cell.shown = sizeText(figure, std::get<double>(value));
    return cell;
}

Cell nothingCell()
{
    return {.value = {}, .shown = kNoValue};
}

// "+7.91 G", "−22.5 MB", "0"
Cell signedCell(Cell cell, double value, const std::string& size)
{
    cell.shown = value == 0.0 ? "0" : (value < 0.0 ? "\xE2\x88\x92" : "+") + size;
    return cell;
}

Cell quotientOf(const std::optional<double>& ratio)
{
    if (!ratio) {
        return nothingCell();
    }
    Cell cell = Cell::number(*ratio);
    cell.shown = ratioText(*ratio);
    return cell;
}

} // namespace

bool isBytes(const ComparedFigure& figure)
{
    return figure.unit == "B";
}

bool isDuration(const ComparedFigure& figure)
{
    return figure.unit == "s";
}

Cell valueCell(const ComparedFigure& figure, std::size_t design)
{
    const std::optional<MetricValue>& value = figure.values[design];
    return value ? numberCell(figure, *value) : nothingCell();
}

Cell deltaCell(const ComparedFigure& figure, std::size_t design)
{
    const std::optional<MetricValue> delta = figure.delta(design);
    if (!delta) {
        return nothingCell();
    }
    const double value = toDouble(*delta);
    return signedCell(numberCell(figure, *delta), value, sizeText(figure, std::abs(value)));
}

Cell quotientCell(const ComparedFigure& figure, std::size_t design)
{
    return quotientOf(figure.ratio(design));
}

Cell valueCell(const ComparedParameter& parameter, std::size_t design)
{
    const std::optional<ParameterReading>& reading = parameter.readings[design];
    if (!reading) {
        return nothingCell();
    }
    Cell cell = Cell::of(reading->value);
    cell.shown = reading->text;
    return cell;
}

Cell deltaCell(const ComparedParameter& parameter, std::size_t design)
{
    const std::optional<double> delta = parameter.delta(design);
    return delta ? signedCell(Cell::number(*delta), *delta, numberText(std::abs(*delta)))
                 : nothingCell();
}

Cell quotientCell(const ComparedParameter& parameter, std::size_t design)
{
    return quotientOf(parameter.ratio(design));
}

std::string kindName(AlignedBlocks::Kind kind)
{
    switch (kind) {
    case AlignedBlocks::Kind::changed: return "changed";
    case AlignedBlocks::Kind::removed: return "removed";
    case AlignedBlocks::Kind::added: return "added";
    case AlignedBlocks::Kind::equal: break;
    }
    return "equal";
}

} // namespace flopsmith
