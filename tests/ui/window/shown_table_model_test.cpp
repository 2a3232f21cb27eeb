// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/shown_table_model.h"

#include "core/count/component.h"
#include "core/io/table/common_units.h"
#include "ui/theme/part_delegate.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QColor>
#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

constexpr Component kMark{"sample", "Sample", 0x123456, Hatch::none};

ChartTable shares(int rows, double value)
{
    ChartTable made{
        .table = {.columns = {wordColumn("part", "part"), figureColumn("share", "share")}}};
    for (int i = 0; i < rows; ++i) {
        made.add(&kMark, {nameCell("part " + std::to_string(i)), Cell::share(value / (1 + i))});
    }
    made.table = inCommonUnits(std::move(made.table));
    return made;
}

TEST(ShownTableModel, KeepsTheRulesOfModelsWhileItChanges)
{
    ShownTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);

    model.show(shares(3, 0.5));
    model.show(shares(3, 0.25));
    model.show(shares(1, 1.0));
    model.show(Table());

    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ShownTableModel, NewNumbersInTheSameShapeResetNothing)
{
    ShownTableModel model;
    model.show(shares(3, 0.5));
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);

    model.show(shares(3, 0.25));

    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(model.data(model.index(1, 1), Qt::DisplayRole).toString(), QStringLiteral("12.5"));
}

TEST(ShownTableModel, AnotherUnitChangesTheHeadAndResetsNothing)
{
    ShownTableModel model;
    const auto times = [](double seconds) {
        ChartTable made{.table = {.columns = {figureColumn("time", "time")}}};
        made.add(nullptr, {Cell::seconds(seconds)});
        made.table = inCommonUnits(std::move(made.table));
        return made;
    };
    model.show(times(0.5));
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const QSignalSpy heads(&model, &QAbstractItemModel::headerDataChanged);

    model.show(times(1.5));

    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(heads.count(), 1);
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
              QStringLiteral("time, s"));
}

TEST(ShownTableModel, NumbersStandOnTheRightBelowTheirUnit)
{
    ShownTableModel model;
    model.show(shares(2, 0.5));

    const auto alignment = [&model](int column) {
        return model.data(model.index(0, column), Qt::TextAlignmentRole).value<Qt::Alignment>();
    };
    EXPECT_TRUE(alignment(0).testFlag(Qt::AlignLeft));
    EXPECT_TRUE(alignment(1).testFlag(Qt::AlignRight));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("share\n%"));
}

TEST(ShownTableModel, RowsHaveTheColourOfTheirComponent)
{
    ShownTableModel model;
    model.show(shares(1, 0.5));

    EXPECT_EQ(model.data(model.index(0, 0), partColourRole).value<QColor>(), QColor(0x123456));
    EXPECT_FALSE(model.data(model.index(0, 1), partColourRole).value<QColor>().isValid());
}

TEST(ShownTableModel, SumsAreBold)
{
    ShownTableModel model;
    ChartTable made = shares(2, 0.5);
    made.add(nullptr, {nameCell("whole model"), Cell::share(1.0)});
    model.show(std::move(made));

    EXPECT_FALSE(model.data(model.index(0, 0), Qt::FontRole).isValid());
    EXPECT_TRUE(model.data(model.index(2, 0), Qt::FontRole).isValid());
}

TEST(ShownTableModel, ToolTipsHaveAllDigits)
{
    ShownTableModel model;
    ChartTable made{.table = {.columns = {figureColumn("flops", "FLOPs")}}};
    made.add(nullptr, {Cell::count(38'918'987'776)});
    made.table = inCommonUnits(std::move(made.table));
    model.show(std::move(made));

    EXPECT_EQ(model.data(model.index(0, 0), Qt::DisplayRole).toString(), QStringLiteral("38.9"));
    EXPECT_EQ(model.data(model.index(0, 0), Qt::ToolTipRole).toString().remove(QChar(0x202F)),
              QStringLiteral("38918987776"));
}

} // namespace
} // namespace flopsmith::ui
