// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cost_page.h"

#include "core/io/reports/cost_report.h"
#include "core/io/table/common_units.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace flopsmith::ui {
namespace {

constexpr int kFlops = 2;
constexpr int kParameters = 4;

class CostPageTest : public testing::Test
{
protected:
    CostPageTest()
        : document({.model = *presetNamed("gpt2-half-swapped")})
        , page(document)
    {
        applyTheme(*qApp, lightTheme());
        page.resize(1000, 600);
        page.show();
        page.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&page)); // without it, nothing has the focus
        child<QTableView>("costs.table").setFocus();
        QTest::keyClick(&page, Qt::Key_F35); // the Ctrl of another test's Ctrl+C is no longer held
    }

    QString shown(int row, int column = 0)
    {
        return page.order().index(row, column).data().toString();
    }

    const Cell& cell(int row, int column)
    {
        return page.model().cell(page.order().mapToSource(page.order().index(row, 0)).row(),
                                 column);
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = page.findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    std::string saved(const QString& name)
    {
        const QString path = folder.filePath(name);
        EXPECT_TRUE(page.saveTo(path));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll().toStdString();
    }

    Document document;
    CostPage page;
    QTemporaryDir folder;
};

TEST_F(CostPageTest, HasTheRowsOfTheReport)
{
    const Table table = inCommonUnits(
        costTable(costReport(document.scenario(), document.lens()), CostColumns::all));

    EXPECT_EQ(page.model().table(), table);
    EXPECT_EQ(page.order().rowCount(), static_cast<int>(table.rows.size()));
}

TEST_F(CostPageTest, TheRowOfTheOperationIsSelectedAndSeen)
{
    auto& table = child<QTableView>("costs.table");
    page.resize(1000, 300);
    for (int i = 1; i < document.costTree().size(); ++i) {
        const std::string path = document.costTree().path(i);
        document.selectOperation(path);
        const QModelIndexList rows = table.selectionModel()->selectedRows();
        ASSERT_EQ(rows.size(), 1);
        const int row = page.order().mapToSource(rows.front()).row();
        EXPECT_EQ(page.model().path(row).toStdString(), path);
        EXPECT_TRUE(table.viewport()->rect().intersects(table.visualRect(rows.front()))) << path;
        EXPECT_TRUE(rows.front()
                        .data(Qt::AccessibleTextRole)
                        .toString()
                        .endsWith(QStringLiteral(", selected")));
    }
    document.selectOperation({});
    EXPECT_FALSE(table.selectionModel()->hasSelection());
}

TEST_F(CostPageTest, AChosenRowIsTheOperation)
{
    auto& table = child<QTableView>("costs.table");
    const QSignalSpy operations(&document, &Document::operationChanged);
    int changes = 0;
    for (int row = 1; row < page.order().rowCount(); ++row) {
        table.selectRow(row);
        EXPECT_EQ(document.operation(), exactText(cell(row, 0)));
        EXPECT_EQ(operations.count(), ++changes);
    }
    table.selectRow(0); // the whole model
    EXPECT_EQ(document.operation(), "");
    EXPECT_EQ(table.selectionModel()->selectedRows().size(), 1);
}

TEST_F(CostPageTest, EscAndTheGroundSelectNoOperation)
{
    auto& table = child<QTableView>("costs.table");
    document.selectOperation("blocks[0]/ffn");
    QTest::keyClick(&table, Qt::Key_Escape);
    EXPECT_EQ(document.operation(), "");
    EXPECT_FALSE(table.selectionModel()->hasSelection());

    document.selectOperation("head");
    child<QLineEdit>("costs.filter").setText(QStringLiteral("head"));
    const QPoint ground(40, table.viewport()->height() - 3);
    ASSERT_FALSE(table.indexAt(ground).isValid());
    QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::KeyboardModifiers(), ground);
    EXPECT_EQ(document.operation(), "");
}

TEST_F(CostPageTest, AFilterThatHidesTheRowKeepsTheOperation)
{
    auto& table = child<QTableView>("costs.table");
    document.selectOperation("blocks[0]/ffn");
    child<QLineEdit>("costs.filter").setText(QStringLiteral("embedding"));
    EXPECT_EQ(document.operation(), "blocks[0]/ffn");
    EXPECT_FALSE(table.selectionModel()->hasSelection());

    child<QLineEdit>("costs.filter").clear();
    EXPECT_EQ(table.selectionModel()->selectedRows().size(), 1);
}

TEST_F(CostPageTest, OnAWideScreenFiguresStandNearTheirNames)
{
    CostPage wide(document);
    wide.resize(1900, 400);
    wide.show();
    QCoreApplication::processEvents();

    const auto width = [](const CostPage& of, int column) {
        return of.findChild<QTableView*>()->columnWidth(column);
    };
    EXPECT_LT(width(wide, 0), 900);
    EXPECT_GT(width(wide, kFlops), width(page, kFlops));
    EXPECT_EQ(width(wide, kFlops), width(wide, kParameters));
    EXPECT_GT(width(page, 0), 200) << "names keep their room";
}

TEST_F(CostPageTest, KeepsTheRulesOfModelsWhileItChanges)
{
    const QAbstractItemModelTester tester(&page.order(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    page.order().sort(kFlops, Qt::DescendingOrder);
    document.setLens(LensId::kaplan);
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return page.model().path(1).startsWith(QStringLiteral("formula/")); }));
    page.order().setFilter(QStringLiteral("ffn"));
    replaceModel(document, *presetNamed("gpt2"));
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return page.model().table().rows.front().front().shown == "GPT-2 small"; }));
}

TEST_F(CostPageTest, SortsEveryColumnByItsExactValues)
{
    for (int column = 0; column < page.model().columnCount(); ++column) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            page.order().sort(column, order);
            for (int row = 1; row < page.order().rowCount(); ++row) {
                const Cell& above = cell(row - 1, column);
                const Cell& below = cell(row, column);
                EXPECT_FALSE(order == Qt::AscendingOrder ? precedes(below, above)
                                                         : precedes(above, below));
            }
        }
    }
}

TEST(CostCellOrder, IsOfTheNumberAndNotOfItsText)
{
    EXPECT_TRUE(precedes(Cell::count(900), Cell::count(1'000'000)));
    // equal on the screen, and as doubles
    EXPECT_TRUE(precedes(Cell::count((Count{1} << 80) + 1), Cell::count((Count{1} << 80) + 2)));
    EXPECT_TRUE(precedes(Cell{}, Cell::count(0)));
    EXPECT_FALSE(precedes(Cell::count(7), Cell::count(7)));
}

TEST_F(CostPageTest, NamesArePathsOnlyOutsideTheTreesOrder)
{
    const QString name = shown(3);
    EXPECT_FALSE(name.contains(QLatin1Char('/')));

    page.order().sort(kFlops, Qt::DescendingOrder);
    bool paths = false;
    for (int row = 0; row < page.order().rowCount(); ++row) {
        paths = paths || shown(row).contains(QStringLiteral("blocks[0]/attention/"));
    }
    EXPECT_TRUE(paths);

    page.order().sort(-1);
    EXPECT_EQ(shown(3), name);
    for (int row = 0; row < page.order().rowCount(); ++row) {
        EXPECT_EQ(page.order().mapToSource(page.order().index(row, 0)).row(), row);
    }
}

TEST_F(CostPageTest, AHeadingSortsTheMostFirstAndTheThirdClickRestoresTheTree)
{
    auto& table = child<QTableView>("costs.table");
    QHeaderView& header = *table.horizontalHeader();
    const auto click = [&header] {
        const QPoint at(header.sectionViewportPosition(kParameters) + 20, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
    };

    click();
    EXPECT_EQ(page.order().sortOrder(), Qt::DescendingOrder);
    EXPECT_EQ(page.order().sortColumn(), kParameters);
    click();
    EXPECT_EQ(page.order().sortOrder(), Qt::AscendingOrder);
    click();
    EXPECT_EQ(page.order().sortColumn(), -1);
}

TEST_F(CostPageTest, TheFilterWantsAllWordsInThePath)
{
    child<QLineEdit>("costs.filter").setText(QStringLiteral("SPECTRAL blocks[6]"));

    ASSERT_GT(page.order().rowCount(), 0);
    for (int row = 0; row < page.order().rowCount(); ++row) {
        EXPECT_TRUE(shown(row).contains(QStringLiteral("spectral")));
    }
    EXPECT_TRUE(child<ElidedLabel>("costs.shown").text().contains(QStringLiteral(" of ")));

    child<QLineEdit>("costs.filter").clear();
    EXPECT_EQ(page.order().rowCount(), page.model().rowCount());
}

TEST_F(CostPageTest, CellsAreShortAndToolTipsHaveAllDigits)
{
    replaceModel(document, *presetNamed("gpt2"));
    document.setLens(LensId::matmul);
    ASSERT_TRUE(QTest::qWaitFor([this] { return shown(0, kFlops) == QStringLiteral("291.6"); }));
    EXPECT_EQ(page.order().headerData(kFlops, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("FLOPs\nG"));
    EXPECT_EQ(page.order().headerData(kFlops, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
              QStringLiteral("FLOPs, G"));

    const QString exact = page.order().index(0, kFlops).data(Qt::ToolTipRole).toString();
    EXPECT_EQ(QString(exact).remove(QChar(0x202F)), QStringLiteral("291648307200 FLOPs"));
}

TEST_F(CostPageTest, CopiesTheChosenRowsInTheOrderOfTheScreen)
{
    auto& table = child<QTableView>("costs.table");
    page.order().sort(kFlops, Qt::DescendingOrder);
    table.selectionModel()->select(page.order().index(4, 0),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    table.selectionModel()->select(page.order().index(2, 0),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    table.setFocus();

    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);

    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 4); // heading, two rows, nothing after the last line's end
    EXPECT_EQ(lines[0].count(QLatin1Char('\t')), page.model().columnCount() - 1);
    EXPECT_TRUE(lines[0].contains(QStringLiteral("\tFLOPs, G\t")));
    const Column& flops = page.model().table().columns.at(kFlops);
    for (const int row : {2, 4}) {
        EXPECT_EQ(lines[row / 2].section(QLatin1Char('\t'), kFlops, kFlops).toStdString(),
                  plainFigure(cell(row, kFlops), flops));
    }
    EXPECT_EQ(child<ElidedLabel>("costs.said").text(), QStringLiteral("2 rows copied"));
}

TEST_F(CostPageTest, CopiedPartsSumToTheWholeTheyAreOf)
{
    QTest::keyClick(&child<QTableView>("costs.table"), Qt::Key_C, Qt::ControlModifier);

    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    double whole = 0.0;
    double parts = 0.0;
    for (int row = 0; row < page.model().rowCount(); ++row) {
        const double flops =
            lines.at(1 + row).section(QLatin1Char('\t'), kFlops, kFlops).toDouble();
        whole += row == 0 ? flops : 0.0;
        parts += row > 0 && page.model().cell(row, 0).indent == 0 ? flops : 0.0;
    }
    EXPECT_GT(whole, 1.0);
    EXPECT_NEAR(parts, whole, 1e-9 * whole);
}

TEST_F(CostPageTest, CopiesMarkdownFromTheMenuOfTheButton)
{
    page.order().setFilter(QStringLiteral("head"));
    const QList<QAction*> entries = child<QMenu>("costs.copy.menu").actions();
    ASSERT_EQ(entries.size(), 2);

    entries.at(1)->trigger();

    const QString text = QApplication::clipboard()->text();
    EXPECT_TRUE(text.contains(QStringLiteral("| FLOPs, G |")));
    EXPECT_TRUE(text.contains(QStringLiteral("| head |")));
    EXPECT_EQ(text.count(QStringLiteral("\n|")), page.order().rowCount() + 2);
}

TEST_F(CostPageTest, HasADifferenceToEveryFrozenDesign)
{
    Designs designs(document);
    page.compareWith(designs);
    const int columns = page.model().columnCount();
    designs.freezeLive();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.model().columnCount() == columns + 1; }));
    EXPECT_EQ(shown(0, 4), QStringLiteral("0"));

    replaceModel(document, *presetNamed("gpt2"));

    ASSERT_TRUE(QTest::qWaitFor([&] { return shown(0, 4).startsWith(QLatin1Char('+')); }));
    EXPECT_EQ(page.order().headerData(4, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
              QStringLiteral("against A, %"));
}

TEST_F(CostPageTest, CopiesEverythingShownIfNothingIsChosen)
{
    page.order().setFilter(QStringLiteral("head"));

    QTest::keyClick(&child<QTableView>("costs.table"), Qt::Key_C, Qt::ControlModifier);

    EXPECT_EQ(QApplication::clipboard()->text().count(QLatin1Char('\n')),
              page.order().rowCount() + 1);
}

TEST_F(CostPageTest, SavesTheWholeTableWithAllDigitsAndWhereItIsFrom)
{
    page.order().setFilter(QStringLiteral("nothing has this name"));
    const CostReport report = costReport(document.scenario(), document.lens());
    const Table table = costTable(report, CostColumns::all);

    EXPECT_EQ(saved(QStringLiteral("a.csv")), csvText(table));
    EXPECT_EQ(saved(QStringLiteral("a.md")), markdownText(table));
    EXPECT_EQ(saved(QStringLiteral("a.tex")), latexText(table));
    EXPECT_EQ(saved(QStringLiteral("a.JSON")), jsonText(costJson(report), 2) + "\n");
    EXPECT_NE(saved(QStringLiteral("a.md")).find("Flopsmith"), std::string::npos);
}

TEST_F(CostPageTest, SaysWhatCannotBeSaved)
{
    EXPECT_FALSE(page.saveTo(folder.filePath(QStringLiteral("a.xls"))));
    EXPECT_TRUE(child<ElidedLabel>("costs.said").text().contains(QStringLiteral(".csv")));
    EXPECT_FALSE(page.saveTo(folder.filePath(QStringLiteral("no/such/folder/a.csv"))));
    EXPECT_FALSE(child<ElidedLabel>("costs.said").text().isEmpty());
}

TEST_F(CostPageTest, FollowsTheDocumentOnlyWhileItIsSeen)
{
    page.hide();
    const Cell before = page.model().cell(0, kFlops);
    setParameter(
        document, matchingParameters(document.scenario(), "seq").front(), std::int64_t{64});
    QTest::qWait(0);
    EXPECT_EQ(page.model().cell(0, kFlops), before);

    page.show();
    EXPECT_EQ(page.model().cell(0, kFlops).value, Cell::Value(*document.costSummary().flops));
}

} // namespace
} // namespace flopsmith::ui
