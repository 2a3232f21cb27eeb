// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/shown_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

Table table(int rows, const QString& value)
{
    FigureTable made{{QStringLiteral("part"), QStringLiteral("share")}, {}};
    for (int i = 0; i < rows; ++i) {
        made.rows.push_back({QStringLiteral("part %1").arg(i), value});
    }
    return textTable(made);
}

TEST(ShownTableModel, KeepsTheRulesOfModelsWhileItChanges)
{
    ShownTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);

    model.show(table(3, QStringLiteral("0.5")));
    model.show(table(3, QStringLiteral("0.25")));
    model.show(table(1, QStringLiteral("1")));
    model.show({});

    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ShownTableModel, NewNumbersInTheSameShapeResetNothing)
{
    ShownTableModel model;
    model.show(table(3, QStringLiteral("0.5")));
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);

    model.show(table(3, QStringLiteral("0.25")));

    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(model.data(model.index(1, 1), Qt::DisplayRole).toString(), QStringLiteral("0.25"));
}

TEST(ShownTableModel, NumbersStandOnTheRight)
{
    ShownTableModel model;
    model.show(table(2, QStringLiteral("0.5")));

    const auto alignment = [&model](int column) {
        return model.data(model.index(0, column), Qt::TextAlignmentRole).value<Qt::Alignment>();
    };
    EXPECT_TRUE(alignment(0).testFlag(Qt::AlignLeft));
    EXPECT_TRUE(alignment(1).testFlag(Qt::AlignRight));
}

} // namespace
} // namespace flopsmith::ui
