// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/samples.h"

#include <gtest/gtest.h>

// What the cards of a window of 1280 × 720 say is read in full.
namespace flopsmith::ui {
namespace {

constexpr double kCardHeight = 214.0; // without margins

double cardWidth(ChartId kind)
{
    switch (kind) {
    case ChartId::share: return 444.0;
    case ChartId::scaling: return 386.0;
    case ChartId::runtime: return 300.0;
    case ChartId::memory: return 298.0;
    case ChartId::roofline: return 472.0;
    case ChartId::mislead: return 360.0;
    case ChartId::waterfall: return 1224.0;
    case ChartId::claims: return 0.0; // has a window of its own
    case ChartId::compare: return 0.0; // is drawn by the command line alone
    case ChartId::heat: return 600.0;
    case ChartId::pareto: return 600.0;
    }
    return 0.0;
}

// Texts that end in an ellipsis, but for the one that always does.
std::string cutTexts(const Figure& figure, double width)
{
    QStringList cut;
    for (const Label& label : figure.drawing(QRectF(0, 0, width, kCardHeight), {}).labels) {
        if (label.text.contains(QChar(0x2026)) && !label.text.startsWith(QLatin1String("meas"))) {
            cut << label.text;
        }
    }
    return cut.join(QStringLiteral(" | ")).toStdString();
}

TEST(WindowCards, SayEverythingInFull)
{
    for (const Preset& preset : presets()) {
        for (const ChartId kind : allKinds()) {
            FigureRequest request = requestOf(kind, preset.id);
            request.machine = machineRoofs();
            if (kind == ChartId::scaling) {
                request.curves = curvesOf(request.scenario);
            }
            if (cardWidth(kind) > 0.0) {
                EXPECT_EQ(cutTexts(*figureOf(request), cardWidth(kind)), "")
                    << preset.id << ", " << chartKind(kind).name;
            }
        }
    }
}

} // namespace
} // namespace flopsmith::ui
