// SPDX-License-Identifier: MIT
#include "core/present/inside/inside_geometry.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace flopsmith {
namespace {

constexpr double kEdge = 6.0; // around everything
constexpr double kStream = 22.0; // from the left
constexpr double kBranch = 46.0; // left edge of the branches
constexpr double kOnStream = 8.0; // left edge of a norm on the stream
constexpr double kWireInset = 14.0; // from a box's left edge to its wires
constexpr double kBoxInset = 8.0;
constexpr double kFrameInset = 8.0;
constexpr double kThickness = 4.0; // of a bar
constexpr double kSmallGap = 14.0; // between steps whose wire has no label
constexpr double kLaneGap = 10.0;
constexpr double kStackedGap = 16.0; // between lanes that are stacked
constexpr double kGutter = 12.0; // on both sides of stacked lanes, for their wires
constexpr double kFork = 12.0; // above and below lanes

/// The outer end of a wire and its way to a box, or from it.
struct WireEnd
{
    int box = -1;
    std::vector<InsidePoint> points{};
};

struct PlacedStep
{
    double bottom = 0.0;
    std::vector<WireEnd> entries{}; ///< points lead downwards to the box
    std::vector<WireEnd> exits{}; ///< points lead downwards from the box
};

class InsideLayouter
{
public:
    InsideLayouter(const InsidePicture& picture,
                   InsideMeasure measure,
                   double width,
                   const InsideFont& font)
        : m_picture(picture)
        , m_measure(measure)
        , m_font(font)
        , m_right(width - kEdge)
        , m_usualValue(font.width("000.0 G"))
    {
        m_geometry.width = width;
        m_geometry.streamX = kStream;
        for (const InsideStep* operation : operationsOf(picture)) {
            m_largest = std::max(m_largest, insideAmount(*operation, measure));
        }
        for (const InsideStage& stage : picture.stages) {
            includeParts(stage.body);
        }
    }

    InsideGeometry geometry()
    {
        if (m_picture.stages.empty()) {
            return std::move(m_geometry);
        }
        m_geometry.streamTop = kEdge;
        addLabel(m_picture.stream, kStream, m_right, kEdge);
        double y = kEdge + m_font.line + 4.0;
        for (const InsideStage& stage : m_picture.stages) {
            y = stage.kind == InsideStage::Kind::branch ? placeBranch(stage, y)
                                                        : placeOnStream(stage, y);
        }
        m_geometry.streamBottom = y + kEdge;
        m_geometry.height = m_geometry.streamBottom + kEdge;
        return std::move(m_geometry);
    }

private:
    /// A body between the stream and its addition, with a wire back to the stream.
    double placeBranch(const InsideStage& stage, double top)
    {
        const double first = top + kSmallGap;
        PlacedStep before{.bottom = top, .exits = {{-1, {{kStream, top + 4.0}}}}};
        if (!stage.body.steps.empty()) {
            PlacedStep body = place(stage.body, kBranch, m_right, first);
            connect(before.exits, body.entries, top + 4.0);
            before = std::move(body);
        }
        const double gap = before.exits.front().box < 0 ? kSmallGap : gapBelow(stage.body);
        const PlacedStep add = place(stage.add, kBranch, m_right, before.bottom + gap);
        connect(before.exits,
                add.entries,
                before.exits.front().box < 0 ? top + 4.0 : before.bottom + gap / 2.0);
        if (before.exits.front().box >= 0) {
            labelBelow(stage.body, kBranch, m_right, before.bottom);
        }
        const int index = add.exits.front().box;
        const InsideRect& rect = m_geometry.boxes[static_cast<std::size_t>(index)].rect;
        const double middle = rect.y + rect.height / 2.0;
        m_geometry.joins.push_back({kStream, middle});
        m_geometry.wires.push_back(
            {index, -1, {{rect.x, middle}, {kStream + kInsideJoinRadius, middle}}});
        return add.bottom + kSmallGap;
    }

    double placeOnStream(const InsideStage& stage, double top)
    {
        return place(stage.body, kOnStream, m_right, top).bottom + kSmallGap;
    }

    PlacedStep place(const InsideStep& step, double left, double right, double top)
    {
        switch (step.kind) {
        case InsideStep::Kind::operation: return placeOperation(step, left, right, top);
        case InsideStep::Kind::sequence: return placeSequence(step, left, right, top);
        case InsideStep::Kind::parallel: break;
        }
        const auto lanes = static_cast<double>(step.steps.size());
        const double lane = (right - left - (lanes - 1.0) * kLaneGap) / lanes;
        return lane >= narrowestLane(step) ? placeBeside(step, left, lane, top)
                                           : placeStacked(step, left, right, top);
    }

    static std::string textOf(const InsideStep& operation)
    {
        return operation.shape.source.empty()
            ? operation.name
            : operation.name + " \xE2\x86\x90 " + operation.shape.source;
    }

    double valueWidth(const InsideStep& operation) const
    {
        return std::max(m_usualValue, m_font.width(insideValue(m_picture, operation, m_measure)));
    }

    double shareOf(const InsideStep& step) const
    {
        return m_largest > 0.0 ? insideAmount(step, m_measure) / m_largest : 0.0;
    }

    // A part is measured as a whole, while costs are summed from its operations.
    void includeParts(const InsideStep& step)
    {
        if (m_measure == InsideMeasure::time) {
            m_largest = std::max(m_largest, step.time.seconds);
        }
        for (const InsideStep& inner : step.steps) {
            includeParts(inner);
        }
    }

    void addTime(const InsideStep& part, InsideFrame& frame) const
    {
        if (m_measure != InsideMeasure::time || part.time.text.empty()) {
            return;
        }
        const InsideRect line = frame.title;
        const double value = std::min(m_font.width(part.time.text), line.width);
        frame.valueText = part.time.text;
        frame.value = {line.right() - value, line.y, value, line.height};
        frame.title.width = std::max(0.0, line.width - value - 12.0);
        frame.bar = {line.x, line.bottom(), line.width, kThickness - 1.0};
        frame.share = shareOf(part);
    }

    PlacedStep placeOperation(const InsideStep& step, double left, double right, double top)
    {
        InsideBox box{.text = textOf(step)};
        const double inner = std::max(0.0, right - left - 2.0 * kBoxInset);
        const double value = std::min(valueWidth(step), inner);
        const bool beside = m_font.width(box.text) + 12.0 + value <= inner;
        const double first = top + 3.0;
        const double titleWidth = beside ? inner - 12.0 - value : inner;
        box.title = {left + kBoxInset, first, titleWidth, m_font.line};
        const double valueTop = beside ? first : first + m_font.line;
        box.value = {right - kBoxInset - value, valueTop, value, m_font.line};
        box.bar = {left + kBoxInset, valueTop + m_font.line + 2.0, inner, kThickness};
        box.rect = {left, top, right - left, box.bar.bottom() + 5.0 - top};
        box.share = shareOf(step);
        const int index = static_cast<int>(m_geometry.boxes.size());
        const double x = left + kWireInset;
        PlacedStep placed{.bottom = box.rect.bottom(),
                          .exits = {{index, {{x, box.rect.bottom()}}}}};
        if (step.shape.source.empty()) {
            placed.entries = {{index, {{x, top}}}};
        }
        m_geometry.boxes.push_back(std::move(box));
        return placed;
    }

    PlacedStep placeSequence(const InsideStep& step, double left, double right, double top)
    {
        const bool framed = !step.title.empty();
        const std::size_t frame = m_geometry.frames.size();
        const double inset = framed ? kFrameInset : 0.0;
        double y = top;
        if (framed) {
            addFrame(step, left, right, top);
            y += m_font.line + 8.0;
        }
        PlacedStep placed{.bottom = y};
        for (std::size_t i = 0; i < step.steps.size(); ++i) {
            const double gap = i == 0 ? 0.0 : gapBelow(step.steps[i - 1]);
            PlacedStep next = place(step.steps[i], left + inset, right - inset, y + gap);
            if (i == 0) {
                placed.entries = extendedUp(std::move(next.entries), top);
            } else {
                connect(placed.exits, next.entries, y + gap / 2.0);
                labelBelow(step.steps[i - 1], left + inset, right - inset, y);
            }
            placed.exits = std::move(next.exits);
            y = next.bottom;
        }
        placed.bottom = y + inset;
        placed.exits = extendedDown(std::move(placed.exits), placed.bottom);
        if (framed) {
            m_geometry.frames[frame].rect.height = placed.bottom - top;
        }
        return placed;
    }

    // The wires of the frame's first step pass left of its title.
    void addFrame(const InsideStep& step, double left, double right, double top)
    {
        const double titleLeft = left + kFrameInset + kWireInset + 10.0;
        m_geometry.frames.push_back({.rect = {left, top, right - left, 0.0},
                                     .title = {titleLeft,
                                               top + 4.0,
                                               std::max(0.0, right - kFrameInset - titleLeft),
                                               m_font.line},
                                     .text = step.title,
                                     .path = step.path,
                                     .component = step.component});
        addTime(step, m_geometry.frames.back());
    }

    PlacedStep placeBeside(const InsideStep& step, double left, double lane, double top)
    {
        const double x = left + kWireInset;
        PlacedStep all{.bottom = top};
        std::vector<PlacedStep> lanes;
        for (std::size_t i = 0; i < step.steps.size(); ++i) {
            const double at = left + static_cast<double>(i) * (lane + kLaneGap);
            lanes.push_back(place(step.steps[i], at, at + lane, top + kFork));
            const double below = labelBelowLane(step, step.steps[i], at + lane, lanes.back());
            all.bottom = std::max(all.bottom, below);
        }
        const double bus = all.bottom + kFork / 2.0;
        all.bottom += kFork;
        for (PlacedStep& each : lanes) {
            for (WireEnd& end : each.entries) {
                const double own = end.points.front().x;
                prepend(end, {{x, top}, {x, top + 4.0}, {own, top + 4.0}});
                all.entries.push_back(std::move(end));
            }
            for (WireEnd& end : each.exits) {
                append(end, {{end.points.back().x, bus}, {x, bus}, {x, all.bottom}});
                all.exits.push_back(std::move(end));
            }
        }
        return all;
    }

    // Wires come down in the left gutter and leave by the right one.
    PlacedStep placeStacked(const InsideStep& step, double left, double right, double top)
    {
        const double x = left + kWireInset;
        const double inner = left + kGutter;
        PlacedStep all{.bottom = top + kSmallGap};
        for (std::size_t i = 0; i < step.steps.size(); ++i) {
            const double laneTop = all.bottom + (i == 0 ? 0.0 : kStackedGap);
            PlacedStep lane = place(step.steps[i], inner, right - kGutter, laneTop);
            for (WireEnd& end : lane.entries) {
                const double own = end.points.front().x;
                const double gutter = left + 4.0;
                prepend(end,
                        {{x, top},
                         {x, top + 4.0},
                         {gutter, top + 4.0},
                         {gutter, laneTop - 5.0},
                         {own, laneTop - 5.0}});
                all.entries.push_back(std::move(end));
            }
            all.bottom = labelBelowLane(step, step.steps[i], right - kGutter, lane);
            for (WireEnd& end : lane.exits) {
                const double out = all.bottom + 5.0;
                append(end, {{end.points.back().x, out}, {right - 4.0, out}});
                all.exits.push_back(std::move(end));
            }
        }
        all.bottom += kSmallGap;
        for (WireEnd& end : all.exits) {
            append(end, {{right - 4.0, all.bottom - 4.0}, {x, all.bottom - 4.0}, {x, all.bottom}});
        }
        return all;
    }

    // A shape that not all lanes share is written below its lane. Returns the end of the lane.
    double labelBelowLane(const InsideStep& lanes,
                          const InsideStep& lane,
                          double right,
                          const PlacedStep& placed)
    {
        if (lanes.out || !lane.out) {
            return placed.bottom;
        }
        addLabel(*lane.out, placed.exits.front().points.back().x, right, placed.bottom + 2.0);
        return placed.bottom + 2.0 + m_font.line;
    }

    double narrowest(const InsideStep& step) const
    {
        switch (step.kind) {
        case InsideStep::Kind::operation:
            return std::max(m_font.width(textOf(step)), valueWidth(step)) + 2.0 * kBoxInset;
        case InsideStep::Kind::parallel: return narrowestLane(step) + 2.0 * kGutter;
        case InsideStep::Kind::sequence: break;
        }
        double width = 0.0;
        for (const InsideStep& inner : step.steps) {
            width = std::max(width, narrowest(inner));
        }
        if (step.title.empty()) {
            return width;
        }
        const double title = m_font.width(step.title) + kWireInset + 10.0;
        return std::max(width, title) + 2.0 * kFrameInset;
    }

    double narrowestLane(const InsideStep& lanes) const
    {
        double width = 0.0;
        for (const InsideStep& lane : lanes.steps) {
            width = std::max(width, narrowest(lane));
        }
        return width;
    }

    double gapBelow(const InsideStep& step) const
    {
        return step.out ? m_font.line + 8.0 : kSmallGap;
    }

    // Right of the wire, also where it leaves or enters a frame.
    void labelBelow(const InsideStep& above, double left, double right, double bottom)
    {
        if (above.out) {
            addLabel(*above.out, left + kFrameInset + kWireInset, right, bottom + 4.0);
        }
    }

    // As much of the shape as there is space for, right of the wire.
    void addLabel(const WireShape& shape, double wire, double right, double top)
    {
        const double left = wire + 8.0;
        for (const std::string& text :
             {shape.symbols() + "   " + shape.numbers(), shape.symbols(), shape.numbers()}) {
            const double width = m_font.width(text);
            if (left + width <= right) {
                m_geometry.labels.push_back({{left, top, width, m_font.line}, text});
                return;
            }
        }
    }

    // The elbow between a box inside a frame and one outside is at height `elbow`.
    void connect(const std::vector<WireEnd>& exits,
                 const std::vector<WireEnd>& entries,
                 double elbow)
    {
        for (const WireEnd& exit : exits) {
            for (const WireEnd& entry : entries) {
                InsideWire wire{exit.box, entry.box, exit.points};
                const double from = exit.points.back().x;
                const double to = entry.points.front().x;
                if (from != to) {
                    wire.points.push_back({from, elbow});
                    wire.points.push_back({to, elbow});
                }
                wire.points.insert(wire.points.end(), entry.points.begin(), entry.points.end());
                m_geometry.wires.push_back(std::move(wire));
            }
        }
    }

    static void prepend(WireEnd& end, const std::vector<InsidePoint>& points)
    {
        end.points.insert(end.points.begin(), points.begin(), points.end());
    }

    static void append(WireEnd& end, const std::vector<InsidePoint>& points)
    {
        end.points.insert(end.points.end(), points.begin(), points.end());
    }

    static std::vector<WireEnd> extendedUp(std::vector<WireEnd> ends, double y)
    {
        for (WireEnd& end : ends) {
            prepend(end, {{end.points.front().x, y}});
        }
        return ends;
    }

    static std::vector<WireEnd> extendedDown(std::vector<WireEnd> ends, double y)
    {
        for (WireEnd& end : ends) {
            append(end, {{end.points.back().x, y}});
        }
        return ends;
    }

    const InsidePicture& m_picture;
    InsideMeasure m_measure;
    const InsideFont& m_font;
    double m_right;
    double m_usualValue; ///< most values are no wider, so that boxes do not jump
    double m_largest = 0.0;
    InsideGeometry m_geometry{};
};

} // namespace

bool InsideRect::contains(const InsidePoint& point) const
{
    return point.x >= x && point.x <= right() && point.y >= y && point.y <= bottom();
}

InsideGeometry insideGeometry(const InsidePicture& picture,
                              InsideMeasure measure,
                              double width,
                              const InsideFont& font)
{
    return InsideLayouter(picture, measure, width, font).geometry();
}

} // namespace flopsmith
