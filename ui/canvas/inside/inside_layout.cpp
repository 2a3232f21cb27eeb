// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_layout.h"

#include "ui/theme/utf8.h"

#include <algorithm>

namespace flopsmith::ui {

int InsideLayout::operationAt(const InsidePoint& point) const
{
    for (int i = 0; i < operationCount(); ++i) {
        if (geometry.boxes[static_cast<std::size_t>(i)].rect.contains(point)) {
            return i;
        }
    }
    return -1;
}

std::string InsideLayout::partAt(const InsidePoint& point) const
{
    const auto holds = [&point](const InsideFrame& frame) { return frame.rect.contains(point); };
    const auto found = std::find_if(geometry.frames.rbegin(), geometry.frames.rend(), holds);
    return found == geometry.frames.rend() ? std::string() : found->path;
}

int InsideLayout::operationOf(const std::string& path) const
{
    const std::vector<const InsideStep*> operations = operationsOf(picture);
    const auto found = std::find(operations.begin(), operations.end(), stepAt(picture, path));
    return found == operations.end() ? -1 : static_cast<int>(found - operations.begin());
}

int InsideLayout::frameOf(const std::string& path) const
{
    const InsideStep* step = stepAt(picture, path);
    for (std::size_t i = 0; step != nullptr && i < geometry.frames.size(); ++i) {
        if (geometry.frames[i].path == step->path) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

QString InsideLayout::sentenceOf(int operation) const
{
    const std::vector<const InsideStep*> operations = operationsOf(picture);
    return operation < 0 || operation >= static_cast<int>(operations.size())
        ? QString()
        : fromUtf8(insideSentence(picture, *operations[static_cast<std::size_t>(operation)]));
}

QString InsideLayout::sentenceOf(const std::string& path) const
{
    const InsideStep* step = stepAt(picture, path);
    return step == nullptr ? QString() : fromUtf8(insideSentence(picture, *step));
}

QString InsideLayout::description(InsideMeasure measure) const
{
    QStringList all;
    for (const InsideStep* operation : operationsOf(picture)) {
        all << QStringLiteral("%1 %2").arg(fromUtf8(operation->name),
                                           fromUtf8(insideValue(picture, *operation, measure)));
    }
    for (const InsideFrame& frame : geometry.frames) {
        if (!frame.valueText.empty()) {
            all << QStringLiteral("%1 %2").arg(fromUtf8(frame.text), fromUtf8(frame.valueText));
        }
    }
    return all.join(QStringLiteral("; "));
}

} // namespace flopsmith::ui
