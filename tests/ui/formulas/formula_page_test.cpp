// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/formula_page.h"

#include "core/formula/legend.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/formulas/formula_sheet.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeView>

namespace flopsmith::ui {
namespace {

class FormulaPageTest : public testing::Test
{
protected:
    FormulaPageTest()
        : document({.model = *presetNamed("gpt2")})
        , page(document)
    {
        applyTheme(*qApp, lightTheme());
        page.resize(900, 600);
    }

    void open()
    {
        page.show();
        ASSERT_TRUE(shows(""));
    }

    // The page catches up when it is idle.
    bool shows(const std::string& path)
    {
        return QTest::qWaitFor(
            [this, &path] { return page.formula() && page.formula()->path == path; });
    }

    bool showsText(const std::string& text)
    {
        return QTest::qWaitFor(
            [this, &text] { return page.formula() && page.formula()->text == text; });
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = page.findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    void setSequence(int tokens)
    {
        setParameter(
            document, matchingParameters(document.scenario(), "seq").front(), std::int64_t{tokens});
    }

    Document document;
    FormulaPage page;
};

TEST_F(FormulaPageTest, MakesNoFormulaBeforeItIsSeen)
{
    setSequence(77);
    QCoreApplication::processEvents();
    EXPECT_FALSE(page.formula().has_value());

    open();

    EXPECT_EQ(page.formula()->value, *document.costSummary().flops);
}

TEST_F(FormulaPageTest, ShowsTheChosenPart)
{
    document.setLens(LensId::matmul);
    open();

    page.choose(QStringLiteral("blocks[0]/attention"));

    ASSERT_TRUE(shows("blocks[0]/attention"));
    EXPECT_EQ(page.formula()->text, "8*d^2*B*S + 4*d*B*S^2");
    EXPECT_EQ(child<ElidedLabel>("formulas.title").text(), QStringLiteral("attention"));
    EXPECT_TRUE(child<QLabel>("formulas.uses").text().contains(QStringLiteral("one of 12 uses")));
    EXPECT_TRUE(
        child<QTextBrowser>("formulas.sheet").toPlainText().contains(QStringLiteral("768")));
}

TEST_F(FormulaPageTest, TheKeyboardWalksTheTree)
{
    open();
    auto& tree = child<QTreeView>("formulas.tree");
    tree.setFocus();

    QTest::keyClick(&tree, Qt::Key_Down);

    EXPECT_TRUE(shows("embedding"));
}

TEST_F(FormulaPageTest, TheChosenPartIsTheDocumentsOperation)
{
    open();
    auto& tree = child<QTreeView>("formulas.tree");
    const QSignalSpy operations(&document, &Document::operationChanged);
    int changes = 0;
    for (int i = 1; i < document.costTree().size(); ++i) {
        const std::string path = document.costTree().path(i);
        document.selectOperation(path);
        ASSERT_TRUE(shows(path)) << path;
        EXPECT_EQ(tree.currentIndex().data(CostTreeModel::pathRole).toString().toStdString(), path);
        EXPECT_TRUE(tree.currentIndex()
                        .data(Qt::AccessibleTextRole)
                        .toString()
                        .endsWith(QStringLiteral(", selected")));
        EXPECT_EQ(operations.count(), ++changes);
    }
    tree.setCurrentIndex(tree.model()->index(0, 0));
    EXPECT_EQ(document.operation(), "");
    EXPECT_EQ(operations.count(), ++changes);
}

TEST_F(FormulaPageTest, ATermIsHighlightedAndAClickOnOneChoosesIt)
{
    open();
    page.choose(QStringLiteral("blocks[0]/ffn/c_fc"));
    ASSERT_TRUE(shows("blocks[0]/ffn/c_fc"));
    auto& sheet = child<QTextBrowser>("formulas.sheet");
    EXPECT_TRUE(sheet.toPlainText().contains(QStringLiteral("ffn is the sum of")));
    std::vector<std::string> terms;
    for (QTextBlock block = sheet.document()->begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextCharFormat format = at.fragment().charFormat();
            if (!format.isAnchor()) {
                continue;
            }
            const std::string path = pathOfLink(QUrl(format.anchorHref())).toStdString();
            terms.push_back(path);
            EXPECT_EQ(format.background().style() != Qt::NoBrush, path == "blocks[0]/ffn/c_fc");
        }
    }
    EXPECT_EQ(terms,
              (std::vector<std::string>{
                  "blocks[0]/ffn/c_fc", "blocks[0]/ffn/activation", "blocks[0]/ffn/c_proj"}));

    Q_EMIT sheet.anchorClicked(QUrl(QStringLiteral("#blocks%5B0%5D%2Fffn%2Fc_proj")));
    EXPECT_EQ(document.operation(), "blocks[0]/ffn/c_proj");
}

TEST_F(FormulaPageTest, EscChoosesTheWholeModel)
{
    open();
    document.selectOperation("head");
    ASSERT_TRUE(shows("head"));
    QTest::keyClick(&child<QTreeView>("formulas.tree"), Qt::Key_Escape);
    EXPECT_EQ(document.operation(), "");
    EXPECT_TRUE(shows(""));
}

TEST_F(FormulaPageTest, AConstraintSimplifiesAndAWrongOneIsNamed)
{
    document.setLens(LensId::matmul);
    open();
    page.choose(QStringLiteral("blocks[0]"));
    ASSERT_TRUE(shows("blocks[0]"));
    auto& constraints = child<QLineEdit>("formulas.constraints");
    auto& problem = child<QLabel>("formulas.problem");

    constraints.setText(QStringLiteral("f=4d"));
    EXPECT_TRUE(showsText("24*d^2*B*S + 4*d*B*S^2"));
    EXPECT_FALSE(problem.isVisible());

    constraints.setText(QStringLiteral("f=3d"));
    EXPECT_TRUE(showsText("8*d^2*B*S + 4*d*f*B*S + 4*d*B*S^2"));
    EXPECT_TRUE(problem.isVisible());
    EXPECT_FALSE(problem.text().isEmpty());
    EXPECT_FALSE(problem.text().contains(QLatin1Char('\n')));

    constraints.clear();
    EXPECT_TRUE(QTest::qWaitFor([&problem] { return !problem.isVisible(); }));
}

TEST_F(FormulaPageTest, ALensThatIsAFormulaHasNoneForParts)
{
    document.setLens(LensId::kaplan);
    open();

    page.choose(QStringLiteral("head"));

    auto& sheet = child<QTextBrowser>("formulas.sheet");
    EXPECT_TRUE(QTest::qWaitFor([&sheet] {
        return sheet.toPlainText().contains(QStringLiteral("no formula of their own"));
    }));
    EXPECT_FALSE(page.formula().has_value());
    EXPECT_FALSE(child<QPushButton>("formulas.copyText").isEnabled());
}

TEST_F(FormulaPageTest, CopiesTextAndLatex)
{
    open();

    child<QPushButton>("formulas.copyText").click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              page.formula()->text + "\n\n" + legendText(*page.formula()));
    child<QPushButton>("formulas.copyLatex").click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              page.formula()->latex + "\n\n" + legendLatex(*page.formula()));
}

TEST_F(FormulaPageTest, FollowsTheDocumentAndKeepsThePart)
{
    open();
    page.choose(QStringLiteral("blocks[0]/ffn"));
    ASSERT_TRUE(shows("blocks[0]/ffn"));
    const Count before = page.formula()->value;

    setSequence(512);

    EXPECT_TRUE(QTest::qWaitFor(
        [this, before] { return page.formula() && page.formula()->value < before; }));
    EXPECT_EQ(page.chosen(), QStringLiteral("blocks[0]/ffn"));
}

TEST_F(FormulaPageTest, APartThatIsGoneLeavesTheWholeModel)
{
    open();
    page.choose(QStringLiteral("blocks[0]/ffn/c_fc"));
    ASSERT_TRUE(shows("blocks[0]/ffn/c_fc"));

    replaceModel(document, *presetNamed("llama-3-8b"));

    EXPECT_TRUE(shows(""));
    EXPECT_EQ(page.formula()->value, *document.costSummary().flops);
}

TEST_F(FormulaPageTest, TrainingStepsHaveFormulas)
{
    document.apply({}, [](DocumentState& state) { state.scenario.workload.phase = Phase::train; });
    open();

    EXPECT_EQ(page.formula()->value, *document.costSummary().flops);
}

TEST_F(FormulaPageTest, EveryControlHasAnAccessibleName)
{
    open();
    for (const QWidget* control : page.findChildren<QWidget*>()) {
        if ((control->focusPolicy() & Qt::TabFocus) != 0
            && control->objectName().startsWith(QStringLiteral("formulas."))) {
            EXPECT_FALSE(control->accessibleName().isEmpty()) << qPrintable(control->objectName());
        }
    }
}

} // namespace
} // namespace flopsmith::ui
