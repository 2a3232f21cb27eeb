// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_kinds.h"

#include "tests/ui/charts/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace flopsmith::ui {
namespace {

// The name of an id that a person can look up; empty for what is none. A new id without a case here
// is a warning, which stops the build.
std::string_view idName(ChartId id)
{
    switch (id) {
    case ChartId::share: return "share";
    case ChartId::scaling: return "scaling";
    case ChartId::runtime: return "runtime";
    case ChartId::claims: return "claims";
    case ChartId::waterfall: return "waterfall";
    case ChartId::memory: return "memory";
    case ChartId::roofline: return "roofline";
    case ChartId::mislead: return "mislead";
    case ChartId::compare: return "compare";
    case ChartId::heat: return "heat";
    case ChartId::pareto: return "pareto";
    }
    return {};
}

std::vector<ChartId> everyId()
{
    std::vector<ChartId> ids;
    for (int i = 0; !idName(static_cast<ChartId>(i)).empty(); ++i) {
        ids.push_back(static_cast<ChartId>(i));
    }
    return ids;
}

TEST(ChartKinds, EveryIdHasARowInItsPlace)
{
    const std::vector<ChartId> ids = everyId();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ASSERT_LT(i, chartKinds().size()) << idName(ids[i]) << " has no row";
        EXPECT_EQ(chartKinds()[i].name, idName(ids[i])) << "row " << i;
        EXPECT_EQ(&chartKind(ids[i]), &chartKinds()[i]) << idName(ids[i]);
    }
    EXPECT_EQ(chartKinds().size(), ids.size());
}

TEST(ChartKinds, EveryRowHasANameATitleAndAMaker)
{
    std::set<std::string_view> names;
    std::set<std::string_view> titles;
    for (const ChartKind& kind : chartKinds()) {
        EXPECT_NE(std::string_view(kind.title), "") << kind.name << " has no title";
        EXPECT_NE(kind.make, nullptr) << kind.name << " makes nothing";
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " is there twice";
        EXPECT_TRUE(titles.insert(kind.title).second) << kind.title << " is there twice";
    }
}

// The tests of layout, cards and exports draw each of these.
TEST(ChartKinds, EveryKindHasASampleForTheOtherTests)
{
    for (const ChartKind& kind : chartKinds()) {
        const FigureResult figure = figureFor(requestOf(kind.id));
        ASSERT_TRUE(figure.ok()) << kind.name << ": " << figure.error().message;
        EXPECT_EQ((*figure)->emptyText(), QString()) << kind.name << " has no sample";
        EXPECT_FALSE((*figure)->title().isEmpty()) << kind.name;
    }
}

// What a figure shows; nothing where there is an error or a sentence in its place.
std::vector<QStringList> rowsOf(const FigureRequest& request)
{
    const FigureResult figure = figureFor(request);
    return figure.ok() && (*figure)->emptyText().isEmpty() ? (*figure)->table().rows
                                                           : std::vector<QStringList>{};
}

TEST(ChartKinds, ARowSaysWhatAFigureCannotDoWithout)
{
    for (const ChartKind& kind : chartKinds()) {
        FigureRequest without = requestOf(kind.id);
        without.hardware.reset();
        EXPECT_EQ(rowsOf(without).empty(), kind.needs.hardware) << kind.name << " without hardware";

        without = requestOf(kind.id);
        without.times.clear();
        without.machine.reset(); // bounds alone are worth a look
        EXPECT_EQ(rowsOf(without).empty(), kind.needs.times) << kind.name << " without times";

        without = requestOf(kind.id);
        without.others.clear();
        EXPECT_EQ(rowsOf(without).empty(), kind.needs.designs) << kind.name << " without designs";
    }
}

TEST(ChartKinds, ARowSaysWhatAFigureDependsOn)
{
    for (const ChartKind& kind : chartKinds()) {
        const FigureRequest request = requestOf(kind.id, "gpt2");
        const std::vector<QStringList> usual = rowsOf(request);
        EXPECT_EQ(rowsOf(requestOf(kind.id, "llama-3-8b")) != usual, kind.needs.model) << kind.name;

        FigureRequest other = request;
        other.metric = MetricId::params;
        other.goals = {usualGoal(MetricId::memoryBytes), usualGoal(MetricId::params)};
        EXPECT_EQ(rowsOf(other) != usual, kind.needs.axis || kind.needs.combinations)
            << kind.name << " of another metric";

        other = request;
        other.from = LensId::mac;
        EXPECT_EQ(rowsOf(other) != usual, kind.needs.twoLenses)
            << kind.name << " from another lens";
    }
}

TEST(ChartKinds, AreFoundByTheirNames)
{
    EXPECT_EQ(chartKindNamed("runtime"), ChartId::runtime);
    EXPECT_EQ(chartKindNamed("claims"), ChartId::claims);
    EXPECT_EQ(chartKindNamed("cake"), std::nullopt);
}

// The footer: whose times these are, and of which day; the lens by its title.
TEST(ChartKinds, AFooterNamesTheProcessorWhereSomethingIsMeasured)
{
    const QString processor = QStringLiteral("Some CPU, 2 cores, 2026-01-01");
    for (const ChartKind& kind : chartKinds()) {
        FigureRequest request = requestOf(kind.id);
        request.lens = LensId::mac;
        request.processor = "Some CPU, 2 cores";
        request.now = 1'767'225'600;
        if (kind.draws == ChartMeasurements::curves) {
            request.curves = curvesOf(request.scenario);
        }
        const Provenance measured = figureOf(request)->provenance;
        const bool draws = kind.draws != ChartMeasurements::none;
        EXPECT_EQ(measured.device, draws ? processor : QString()) << kind.name;
        const QString asked =
            toQt(lens(kind.lens == ChartLens::exact ? LensId::exact : LensId::mac).title);
        EXPECT_EQ(measured.lens, kind.lens == ChartLens::none ? QString() : asked) << kind.name;

        request.times.clear();
        request.curves.reset();
        request.measuredClaims.clear();
        EXPECT_EQ(figureOf(request)->provenance.device, QString()) << kind.name;
    }
}

} // namespace
} // namespace flopsmith::ui
