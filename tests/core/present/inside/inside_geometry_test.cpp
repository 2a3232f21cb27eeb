// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/inside/inside_geometry.h"

#include "tests/core/present/inside/inside_cases.h"
#include "tests/core/present/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr double kAlmost = 1e-9;
constexpr std::array kWidths{300.0, 420.0, 560.0, 1200.0};

double fixedWidth(std::string_view text)
{
    return 6.5 * static_cast<double>(text.size());
}

InsideFont fixedFont(double line = 16.0)
{
    return {.line = line, .width = fixedWidth};
}

bool overlaps(const InsideRect& a, const InsideRect& b)
{
    return a.x < b.right() - kAlmost && b.x < a.right() - kAlmost && a.y < b.bottom() - kAlmost
        && b.y < a.bottom() - kAlmost;
}

/// Whether a horizontal or vertical line passes through the inside of the box.
bool crosses(const InsideRect& box, const InsidePoint& a, const InsidePoint& b)
{
    return std::min(a.x, b.x) < box.right() - kAlmost && std::max(a.x, b.x) > box.x + kAlmost
        && std::min(a.y, b.y) < box.bottom() - kAlmost && std::max(a.y, b.y) > box.y + kAlmost;
}

/// Calls check(picture, geometry, name) for every block of every preset and variant at each width.
template <class Check>
void forEveryLayout(Check check)
{
    for (const Scenario& scenario : test::insideScenarios()) {
        for (int run = 0; run < static_cast<int>(scenario.model.runs.size()); ++run) {
            const InsidePicture picture = test::insideOf(scenario, run);
            for (const double width : kWidths) {
                check(picture,
                      insideGeometry(picture, InsideMeasure::flops, width, fixedFont()),
                      scenario.model.name + " in " + std::to_string(static_cast<int>(width)));
            }
        }
    }
}

TEST(InsideGeometry, BoxesStandInsideTheWidthAndDoNotOverlap)
{
    forEveryLayout(
        [](const InsidePicture& picture, const InsideGeometry& geometry, const std::string& where) {
            ASSERT_EQ(geometry.boxes.size(), operationsOf(picture).size()) << where;
            for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
                const InsideBox& box = geometry.boxes[i];
                EXPECT_GE(box.rect.x, 0.0) << where;
                EXPECT_LE(box.rect.right(), geometry.width) << where;
                EXPECT_LE(box.rect.bottom(), geometry.height) << where;
                for (const InsideRect& inner : {box.title, box.value, box.bar}) {
                    EXPECT_GE(inner.x, box.rect.x - kAlmost) << where << " " << box.text;
                    EXPECT_LE(inner.right(), box.rect.right() + kAlmost)
                        << where << " " << box.text;
                    EXPECT_LE(inner.bottom(), box.rect.bottom()) << where << " " << box.text;
                }
                EXPECT_FALSE(overlaps(box.title, box.value)) << where << " " << box.text;
                for (std::size_t j = i + 1; j < geometry.boxes.size(); ++j) {
                    EXPECT_FALSE(overlaps(box.rect, geometry.boxes[j].rect))
                        << where << ": " << box.text << ", " << geometry.boxes[j].text;
                }
            }
        });
}

TEST(InsideGeometry, LabelsAndTitlesCoverNothing)
{
    forEveryLayout([](const InsidePicture& /*picture*/,
                      const InsideGeometry& geometry,
                      const std::string& where) {
        std::vector<InsideRect> texts;
        for (const InsideLabel& label : geometry.labels) {
            texts.push_back(label.rect);
        }
        for (const InsideFrame& frame : geometry.frames) {
            texts.push_back(frame.title);
        }
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_LE(texts[i].right(), geometry.width) << where;
            for (const InsideBox& box : geometry.boxes) {
                EXPECT_FALSE(overlaps(texts[i], box.rect)) << where << " " << box.text;
            }
            for (std::size_t j = i + 1; j < texts.size(); ++j) {
                EXPECT_FALSE(overlaps(texts[i], texts[j])) << where;
            }
        }
    });
}

TEST(InsideGeometry, WiresMeetTheirBoxesAndCrossNone)
{
    forEveryLayout([](const InsidePicture& /*picture*/,
                      const InsideGeometry& geometry,
                      const std::string& where) {
        const auto box = [&geometry](int i) {
            return geometry.boxes[static_cast<std::size_t>(i)].rect;
        };
        for (const InsideWire& wire : geometry.wires) {
            ASSERT_GE(wire.points.size(), 2U) << where;
            const InsidePoint& start = wire.points.front();
            const InsidePoint& end = wire.points.back();
            if (wire.to < 0) { // back to the stream
                ASSERT_GE(wire.from, 0) << where;
                EXPECT_EQ(start.x, box(wire.from).x) << where;
                EXPECT_TRUE(box(wire.from).contains(start)) << where;
                EXPECT_EQ(end.x, geometry.streamX + kInsideJoinRadius) << where;
            } else {
                EXPECT_EQ(end.y, box(wire.to).y) << where;
                EXPECT_TRUE(box(wire.to).contains(end)) << where;
                const double top = wire.from < 0 ? start.y : box(wire.from).bottom();
                EXPECT_EQ(start.y, top) << where;
                EXPECT_TRUE(wire.from < 0 ? start.x == geometry.streamX
                                          : box(wire.from).contains(start))
                    << where;
            }
            for (std::size_t i = 1; i < wire.points.size(); ++i) {
                const InsidePoint& a = wire.points[i - 1];
                const InsidePoint& b = wire.points[i];
                EXPECT_TRUE(a.x == b.x || a.y == b.y) << where;
                for (const InsideBox& each : geometry.boxes) {
                    EXPECT_FALSE(crosses(each.rect, a, b)) << where << " " << each.text;
                }
            }
        }
    });
}

TEST(InsideGeometry, EveryOperationIsReachedAndLeft)
{
    forEveryLayout(
        [](const InsidePicture& picture, const InsideGeometry& geometry, const std::string& where) {
            const std::vector<const InsideStep*> operations = operationsOf(picture);
            std::vector<const InsideStep*> onStream;
            for (const InsideStage& stage : picture.stages) {
                if (stage.kind == InsideStage::Kind::onStream) {
                    onStream.push_back(&stage.body);
                }
            }
            for (std::size_t i = 0; i < operations.size(); ++i) {
                const auto at = static_cast<int>(i);
                const auto goes = [at](const InsideWire& wire) { return wire.from == at; };
                const auto comes = [at](const InsideWire& wire) { return wire.to == at; };
                const auto& wires = geometry.wires;
                if (std::find(onStream.begin(), onStream.end(), operations[i]) != onStream.end()) {
                    const InsideRect& rect = geometry.boxes[i].rect;
                    EXPECT_LT(rect.x, geometry.streamX) << where;
                    EXPECT_GT(rect.right(), geometry.streamX) << where;
                    continue;
                }
                EXPECT_TRUE(std::any_of(wires.begin(), wires.end(), goes))
                    << where << " " << operations[i]->name;
                EXPECT_EQ(std::any_of(wires.begin(), wires.end(), comes),
                          operations[i]->shape.source.empty())
                    << where << " " << operations[i]->name;
            }
        });
}

TEST(InsideGeometry, BarsShowTheChosenMeasure)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0);
    const std::vector<const InsideStep*> operations = operationsOf(picture);
    for (const InsideMeasure measure :
         {InsideMeasure::flops, InsideMeasure::parameters, InsideMeasure::bytes}) {
        const InsideGeometry geometry = insideGeometry(picture, measure, 500.0, fixedFont());
        double largest = 0.0;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            for (std::size_t j = 0; j < operations.size(); ++j) {
                if (operations[i]->cost.of(measure) < operations[j]->cost.of(measure)) {
                    EXPECT_LT(geometry.boxes[i].share, geometry.boxes[j].share);
                }
            }
            largest = std::max(largest, geometry.boxes[i].share);
        }
        EXPECT_EQ(largest, 1.0);
    }
}

TEST(InsideGeometry, LanesStandBesideEachOtherWhereThereIsRoom)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("llama-3-8b"), 0);
    const auto rectOf = [&picture](double width, std::string_view name) {
        const std::vector<const InsideStep*> operations = operationsOf(picture);
        const InsideGeometry geometry =
            insideGeometry(picture, InsideMeasure::flops, width, fixedFont());
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (operations[i]->name == name) {
                return geometry.boxes[i].rect;
            }
        }
        return InsideRect{};
    };
    EXPECT_EQ(rectOf(560.0, "gate_proj").y, rectOf(560.0, "up_proj").y);
    EXPECT_LT(rectOf(560.0, "gate_proj").right(), rectOf(560.0, "up_proj").x);
    EXPECT_LT(rectOf(200.0, "gate_proj").bottom(), rectOf(200.0, "up_proj").y);
}

/// Checks that every step of a sequence stands below the one before it. `next` is the box of the
/// first operation; returns where the step ends.
double expectDownwards(const InsideStep& step,
                       const InsideGeometry& geometry,
                       std::size_t& next,
                       double above)
{
    if (step.isOperation()) {
        const InsideRect& rect = geometry.boxes.at(next++).rect;
        EXPECT_GT(rect.y, above) << step.name;
        return rect.bottom();
    }
    double bottom = above;
    double start = above;
    for (const InsideStep& inner : step.steps) {
        bottom = std::max(bottom, expectDownwards(inner, geometry, next, start));
        start = step.kind == InsideStep::Kind::sequence ? bottom : above;
    }
    return bottom;
}

TEST(InsideGeometry, WhatFollowsStandsBelow)
{
    forEveryLayout(
        [](const InsidePicture& picture, const InsideGeometry& geometry, const std::string& where) {
            std::size_t next = 0;
            double bottom = 0.0;
            for (const InsideStage& stage : picture.stages) {
                bottom = expectDownwards(stage.body, geometry, next, bottom);
                if (stage.kind == InsideStage::Kind::branch) {
                    bottom = expectDownwards(stage.add, geometry, next, bottom);
                }
            }
            EXPECT_EQ(next, geometry.boxes.size()) << where;
            EXPECT_LT(bottom, geometry.streamBottom) << where;
        });
}

TEST(InsideGeometry, LargerTypeIsHigher)
{
    for (const Scenario& scenario : test::insideScenarios()) {
        const InsidePicture picture = test::insideOf(scenario, 0);
        const auto height = [&picture](double line) {
            return insideGeometry(picture, InsideMeasure::flops, 500.0, fixedFont(line)).height;
        };
        EXPECT_LT(height(16.0), height(24.0)) << scenario.model.name;
    }
}

TEST(InsideGeometry, NothingInsideIsNothingToShow)
{
    const InsideGeometry geometry =
        insideGeometry(InsidePicture{}, InsideMeasure::bytes, 400.0, fixedFont());

    EXPECT_TRUE(geometry.boxes.empty());
    EXPECT_TRUE(geometry.wires.empty());
    EXPECT_TRUE(geometry.labels.empty());
}

} // namespace
} // namespace flopsmith
