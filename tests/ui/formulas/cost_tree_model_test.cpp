// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/cost_tree_model.h"

#include "core/base/text.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "ui/theme/part_delegate.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

Scenario scenario(const char* preset, int sequence = 64)
{
    return {.model = *presetNamed(preset), .workload = {.sequence = sequence}};
}

void show(CostTreeModel& model, const Scenario& shown, LensId id = LensId::exact)
{
    model.show(shown, costTree(shown, lens(id).pairs), id);
}

QString text(const CostTreeModel& model,
             const QString& path,
             int column,
             int role = Qt::DisplayRole)
{
    return model.data(model.indexOf(path, column), role).toString();
}

TEST(CostTreeModel, KeepsTheRulesOfModelsWhileItChanges)
{
    CostTreeModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);

    show(model, scenario("gpt2"));
    show(model, scenario("gpt2", 128));
    show(model, scenario("gpt2-half-swapped"));
    show(model, scenario("gpt2-half-swapped"), LensId::kaplan);
    show(model, scenario("t5-small"));

    EXPECT_EQ(model.rowCount(), 1);
}

TEST(CostTreeModel, HasARowForEveryNodeBelowItsParent)
{
    const Scenario shown = scenario("gpt2-half-swapped");
    const CostTree<Count> tree = costTree(shown);
    CostTreeModel model;
    show(model, shown);

    for (int i = 1; i < tree.size(); ++i) {
        const QModelIndex index = model.indexOf(QString::fromStdString(tree.path(i)));
        ASSERT_TRUE(index.isValid()) << tree.path(i);
        EXPECT_EQ(index.parent().data(CostTreeModel::pathRole).toString().toStdString(),
                  tree.path(tree.node(i).parent));
        EXPECT_EQ(index.data(partColourRole).value<QColor>(), colour(*tree.node(i).component));
    }
}

TEST(CostTreeModel, FiguresAreThoseOfAllUsesTogether)
{
    const Scenario shown = scenario("gpt2");
    const CostTree<Count> tree = costTree(shown);
    CostTreeModel model;
    show(model, shown);

    Count blocks = 0;
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.path(i) == "blocks[0]") {
            blocks = 12 * exactFlops(tree.total(i).count);
        }
    }
    EXPECT_EQ(text(model, QStringLiteral("blocks[0]"), CostTreeModel::figure, Qt::ToolTipRole),
              QString::fromStdString(groupedDigits(blocks)) + QStringLiteral(" FLOPs"));
    EXPECT_EQ(text(model, QStringLiteral("blocks[0]"), CostTreeModel::part),
              QStringLiteral("blocks[0..11]"));
}

TEST(CostTreeModel, NewNumbersInTheSamePartsResetNothing)
{
    CostTreeModel model;
    show(model, scenario("gpt2", 64));
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const QString before = text(model, QStringLiteral("head"), CostTreeModel::figure);

    show(model, scenario("gpt2", 128));

    EXPECT_EQ(reset.count(), 0);
    EXPECT_NE(text(model, QStringLiteral("head"), CostTreeModel::figure), before);
}

TEST(CostTreeModel, PartsOfAFormulaHaveNoFigure)
{
    CostTreeModel model;
    show(model, scenario("gpt2"), LensId::kaplan);

    EXPECT_NE(text(model, QString(), CostTreeModel::figure), QString());
    EXPECT_EQ(text(model, QStringLiteral("head"), CostTreeModel::figure), QString());
}

TEST(CostTreeModel, WhatTheLensDoesNotSeeIsNoZero)
{
    CostTreeModel model;
    show(model, scenario("gpt2"), LensId::matmul);

    EXPECT_EQ(text(model, QStringLiteral("blocks[0]/attention/softmax"), CostTreeModel::figure),
              QStringLiteral("uncounted"));
}

} // namespace
} // namespace flopsmith::ui
