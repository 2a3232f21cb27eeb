// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/text_lines.h"

#include "tests/ui/charts/samples.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/run_time/run_time_figure.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

const QString kText = QStringLiteral("Faster from S ≈ 1.9 k: half swapped than dense; measuring: 3 "
                                     "of 14 points; open points have not settled");

TEST(TextLines, WrappedLinesFitAndKeepEveryWord)
{
    const QFont font = ChartStyle{}.font();
    for (double width = 60.0; width < 900.0; width += 37.0) {
        const QStringList lines = wrappedLines(kText, font, width);
        EXPECT_EQ(lines.join(QLatin1Char(' ')), kText);
        for (const QString& line : lines) {
            EXPECT_TRUE(textWidth(font, line) <= width || !line.contains(QLatin1Char(' ')))
                << qPrintable(line);
        }
    }
    EXPECT_EQ(wrappedLines(QStringLiteral("a\nb"), font, 500.0).size(), 2);

    const double width = textWidth(font, QStringLiteral("four words and"));
    EXPECT_EQ(wrappedLines(QStringLiteral("four words and time"), font, width),
              (QStringList{QStringLiteral("four words"), QStringLiteral("and time")}))
        << "no word stands alone in the last line";
}

TEST(TextLines, WholeClausesGiveWayFromTheEnd)
{
    const QFont font = ChartStyle{}.font();
    const QString between = QStringLiteral("; ");
    qsizetype before = 0;
    for (double width = 60.0; width < 1200.0; width += 37.0) {
        const QStringList lines = clauseLines(kText, between, font, width, 1);
        ASSERT_EQ(lines.size(), 1);
        EXPECT_TRUE(kText == lines[0] || kText.startsWith(lines[0] + between))
            << qPrintable(lines[0]);
        EXPECT_GE(lines[0].size(), before) << "more room, less text";
        before = lines[0].size();
    }
    EXPECT_EQ(before, kText.size());
}

TEST(TextLines, FactsAreSaidInFullOrLeftOut)
{
    const QFont font = ChartStyle{}.font();
    const QStringList facts{QStringLiteral("at least 2.01 s"), QStringLiteral("57.9 GFLOP/s")};
    const QString both = facts.join(QStringLiteral(" \u00B7 "));
    const double width = textWidth(font, both);

    EXPECT_EQ(factsLine(facts, font, width + 1.0), both);
    EXPECT_EQ(factsLine(facts, font, width - 1.0), facts.front());
    EXPECT_EQ(factsLine({}, font, width), QString());
}

TEST(TextLines, NotesBelowBarsEndWithTheirKeyWhereThereIsLittleRoom)
{
    const ChartStyle style;
    const std::string note = "filled: measured\noutline: lower bound by measured peaks";
    const auto textsAt = [&](double space) {
        QStringList texts;
        for (const PlacedLine& line :
             BarNotes(note, "outline: bound", 900.0, {space, space}, style).below({})) {
            texts << line.text;
        }
        return texts;
    };
    const double line = style.lineHeight(BarNotes::kTextSize);

    EXPECT_EQ(textsAt(200.0).join(QLatin1Char('\n')).toStdString(), note);
    EXPECT_EQ(textsAt(line + 8.0),
              (QStringList{QStringLiteral("outline: lower bound by measured "
                                          "peaks")}));
    EXPECT_TRUE(textsAt(line).isEmpty());
    const BarNotes narrow(note, "outline: bound", 120.0, {line + 8.0, line + 8.0}, style);
    EXPECT_EQ(narrow.below({}).at(0).text, QStringLiteral("outline: bound"));
    const BarNotes none(note, "outline: bound", 900.0, {}, style);
    EXPECT_EQ(none.hiddenText(2), QStringLiteral("+ 2 smaller; outline: bound"));
    EXPECT_EQ(narrow.hiddenText(2), QStringLiteral("+ 2 smaller"));
    const BarNotes crowded(note, "outline: bound", 900.0, {0.0, line + 8.0}, style);
    EXPECT_EQ(crowded.below({}).at(0).text, QStringLiteral("outline: bound"));
}

// What the notes of run times say is read in full or not there, on any card.
TEST(TextLines, NoNoteOfRunTimesIsCut)
{
    const MachineRoofs roofs = roofsOf({.flopsPerSecond = 1e11, .bytesPerSecond = 1e10});
    for (const char* preset : {"tiny", "gpt2", "gpt2-half-swapped"}) {
        const Scenario scenario = scenarioOf(preset);
        const auto parts = measuredParts(scenario);
        const RunTimeTable table = runTimeTable(parts, timesOf(scenario, 1000), {}, roofs);
        const RunTimeComparison both =
            runTimeComparison(parts,
                              std::vector<DeviceTimes>{{"this CPU", timesOf(scenario, 1000), roofs},
                                                       {"box", timesOf(scenario, 4), roofs}});
        const ChartStyle style;
        const QFont font = style.font(BarNotes::kTextSize);
        for (double width = 290.0; width < 900.0; width += 61.0) {
            for (double height = 180.0; height < 600.0; height += 23.0) {
                const QRectF area(0, 0, width, height);
                const RunTimeLayout one = runTimeLayout(table, area, style);
                const RunTimeComparisonLayout two = runTimeComparisonLayout(both, area, style);
                std::vector<PlacedLine> lines = one.notes;
                lines.insert(lines.end(), two.notes.begin(), two.notes.end());
                lines.push_back(one.hiddenText);
                lines.push_back(two.hiddenText);
                for (const PlacedLine& line : lines) {
                    EXPECT_LE(textWidth(font, line.text), width) << qPrintable(line.text);
                    EXPECT_LE(line.rect.bottom(), height + 0.5) << qPrintable(line.text);
                }
                const bool said =
                    !two.notes.empty() || two.hiddenText.text.contains(QLatin1String("tick"));
                EXPECT_TRUE(said || two.hidden == 0) << width << " x " << height;
            }
        }
    }
}

} // namespace
} // namespace flopsmith::ui
