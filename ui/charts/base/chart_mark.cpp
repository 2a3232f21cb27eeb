// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/chart_mark.h"

#include "core/count/by_component.h"
#include "core/model/tree_path.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

bool isOfMark(const Component& component, const ChartMark& mark)
{
    return std::any_of(mark.components.begin(),
                       mark.components.end(),
                       [&component](const Component* each) { return isSame(*each, component); });
}

bool shows(const ChartPlace& place, const ChartMark& mark)
{
    if (place.paths.empty()) {
        return isOfMark(*place.component, mark);
    }
    return std::any_of(place.paths.begin(), place.paths.end(), [&mark](const std::string& path) {
        return isWithin(path, mark.path) || isWithin(mark.path, path);
    });
}

} // namespace

QPainterPath rowOutline(const QRectF& line)
{
    QPainterPath outline;
    outline.addRoundedRect(line.adjusted(-2.0, 0.5, 2.0, -0.5), 4.0, 4.0);
    return outline;
}

ChartPlace rowPlace(const QRectF& line,
                    const Component* component,
                    const std::string& path,
                    const std::vector<std::string>& elsewhere,
                    std::size_t hotspot)
{
    ChartPlace place{.component = component, .paths = {path}, .hotspot = static_cast<int>(hotspot)};
    place.paths.insert(place.paths.end(), elsewhere.begin(), elsewhere.end());
    place.outline = rowOutline(line);
    return place;
}

const ChartPlace* placeAt(QPointF point, const std::vector<ChartPlace>& places)
{
    const auto hit = std::find_if(places.rbegin(), places.rend(), [point](const ChartPlace& place) {
        return place.outline.contains(point);
    });
    return hit == places.rend() ? nullptr : &*hit;
}

std::vector<bool> markedPlaces(const std::vector<ChartPlace>& places, const ChartMark& mark)
{
    std::vector<bool> marked(places.size(), false);
    for (std::size_t i = 0; i < places.size() && !mark.isEmpty(); ++i) {
        marked[i] = shows(places[i], mark);
    }
    return marked;
}

Drawing markDrawing(const std::vector<ChartPlace>& places,
                    const std::vector<bool>& marked,
                    const ChartStyle& style)
{
    Drawing drawing;
    if (std::find(marked.begin(), marked.end(), true) == marked.end()) {
        return drawing;
    }
    constexpr int kVeil = 150; // of 255
    QColor veil = style.theme.panel;
    veil.setAlpha(kVeil);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!marked[i] && places[i].becomesPaler) {
            drawing.shapes.push_back({places[i].outline, Qt::NoPen, veil});
        }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (marked[i]) { // a line that is visible on every colour
            drawing.shapes.push_back(
                {places[i].outline, QPen(style.theme.panel, 4.5), Qt::NoBrush});
            drawing.shapes.push_back({places[i].outline, QPen(style.theme.text, 2.0), Qt::NoBrush});
        }
    }
    return drawing;
}

} // namespace flopsmith::ui
