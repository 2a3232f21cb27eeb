// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/widgets/layout/tab_order.h"
#include "ui/window/help/about.h"
#include "ui/window/help/keys_sheet.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSet>
#include <QTableWidget>

namespace flopsmith::ui {
namespace {

class KeysTest : public test::WindowTest
{
protected:
    QList<QKeySequence> keysOf(const char* action) { return child<QAction>(action).shortcuts(); }

    // The widgets that Tab visits from the window's first to its last.
    QList<QWidget*> walked()
    {
        QWidget* first = firstFocus(*window->focusOrder().front());
        first->setFocus();
        QList<QWidget*> visited;
        do {
            visited << QApplication::focusWidget();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        } while (QApplication::focusWidget() != first && visited.size() < 400);
        return visited;
    }

    int partOf(const QWidget* widget)
    {
        const QList<QWidget*> parts = window->focusOrder();
        for (int i = 0; i < parts.size(); ++i) {
            if (parts[i] == widget || parts[i]->isAncestorOf(widget)) {
                return i;
            }
        }
        return -1;
    }
};

TEST_F(KeysTest, StandardKeysNeedNoPlatformTheme)
{
    EXPECT_TRUE(keysOf("file.saveAs").contains(QKeySequence(QStringLiteral("Ctrl+Shift+S"))));
    EXPECT_TRUE(keysOf("file.quit").contains(QKeySequence(QStringLiteral("Ctrl+Q"))));
    EXPECT_TRUE(keysOf("view.fullScreen").contains(QKeySequence(Qt::Key_F11)));
    EXPECT_TRUE(keysOf("help.keys").contains(QKeySequence(Qt::Key_F1)));
    EXPECT_TRUE(keysOf("edit.redo").contains(QKeySequence(QStringLiteral("Ctrl+Shift+Z"))));
}

TEST_F(KeysTest, TheSheetNamesKeysThatKeyboardsHave)
{
    for (const KeyLine& line : keyLines(*window)) {
        EXPECT_FALSE(line.keys.isEmpty()) << line.what.toStdString();
        EXPECT_FALSE(line.keys.contains(QRegularExpression(QStringLiteral("F(1[3-9]|[23]\\d)"))))
            << line.keys.toStdString();
    }
}

TEST_F(KeysTest, NoKeyHasTwoMeanings)
{
    QSet<QString> seen;
    for (const QAction* action : window->findChildren<QAction*>()) {
        if (action->property("ofWidget").toBool()) {
            continue; // Ctrl+C copies in every table
        }
        for (const QKeySequence& key : action->shortcuts()) {
            EXPECT_FALSE(seen.contains(key.toString()))
                << qPrintable(key.toString()) << " " << qPrintable(action->objectName());
            seen << key.toString();
        }
    }
    for (const QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
        const QString key = button->shortcut().toString(); // of its underlined letter
        EXPECT_FALSE(!key.isEmpty() && seen.contains(key)) << qPrintable(key);
    }
    EXPECT_GT(seen.size(), 20);
}

TEST_F(KeysTest, TheSheetHasEveryKeyOfAnAction)
{
    QStringList told;
    for (const KeyLine& line : keyLines(*window)) {
        told << line.keys.split(QLatin1String(", "));
    }
    for (const QAction* action : window->findChildren<QAction*>()) {
        for (const QKeySequence& key : action->shortcuts()) {
            EXPECT_TRUE(told.contains(key.toString(QKeySequence::NativeText)))
                << qPrintable(action->objectName());
        }
    }
}

TEST_F(KeysTest, F1OpensTheSheetOnce)
{
    QTest::keyClick(window.get(), Qt::Key_F1);
    QTest::keyClick(window.get(), Qt::Key_F1);

    ASSERT_EQ(window->findChildren<KeysSheet*>().size(), 1);
    EXPECT_GT(window->findChild<QTableWidget*>()->rowCount(), 20);
}

TEST_F(KeysTest, AboutNamesVersionLicencesAndLibraries)
{
    child<QAction>("help.about").trigger();

    const QString text =
        window->findChild<About*>()->findChild<QLabel*>(QStringLiteral("help.about.text"))->text();
    for (const char* part :
         {"Flopsmith 0.", "GNU General Public License", "MIT", "Qt 6", "GiNaC"}) {
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part;
    }
}

TEST_F(KeysTest, F6GoesFromPanelToPanelAndBack)
{
    window->stack().setFocus();
    const QWidget* start = QApplication::focusWidget();
    QList<int> visited;
    for (int i = 0; i < 5; ++i) {
        child<QAction>("view.nextPanel").trigger();
        visited << partOf(QApplication::focusWidget());
    }
    // no question, no message, no designs, no exercise, no history, nothing to cancel
    EXPECT_EQ(visited, QList<int>({7, 10, 0, 1, 5}));

    for (int i = 0; i < 5; ++i) {
        child<QAction>("view.previousPanel").trigger();
    }
    EXPECT_EQ(QApplication::focusWidget(), start);
}

TEST_F(KeysTest, TabFollowsTheEye)
{
    for (int round = 0; round < 2; ++round) {
        const QList<QWidget*> visited = walked();

        QList<QWidget*> expected;
        for (QWidget* part : window->focusOrder()) {
            for (QWidget* each : focusOrder(*part)) {
                if (each->isVisible() && each->isEnabled()) {
                    expected << each;
                }
            }
        }
        ASSERT_EQ(visited.size(), expected.size());
        for (int i = 0; i < visited.size(); ++i) {
            EXPECT_EQ(visited[i], expected[i]) << i << " " << qPrintable(visited[i]->objectName())
                                               << " " << qPrintable(expected[i]->objectName());
        }
        window->document().select(Selection::of(Selection::Part::embedding)); // other controls
        QCoreApplication::processEvents();
    }
}

TEST_F(KeysTest, TabGoesThroughThePanelsInTheirOrderAndDownTheInspector)
{
    int lastPart = 0;
    int lastTop = -1;
    for (const QWidget* widget : walked()) {
        const int part = partOf(widget);
        EXPECT_GE(part, lastPart) << qPrintable(widget->objectName());
        lastPart = part;
        QWidget* content = child<QScrollArea>("inspector.scroll").widget(); // which scrolls
        if (content->isAncestorOf(widget)) {
            const int middle = widget->mapTo(content, widget->rect().center()).y();
            EXPECT_GE(middle, lastTop - 4) << qPrintable(widget->objectName());
            lastTop = middle;
        }
    }
    EXPECT_GE(lastTop, 0);
}

TEST_F(KeysTest, UndoWorksWithTheFocusInAValueBox)
{
    const Scenario before = window->document().scenario();
    auto& box = child<ValueBox>("inspector.d_model.box");
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("12"));
    QTest::keyClick(&box, Qt::Key_Return);
    ASSERT_EQ(window->document().model().dModel, 12);

    QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window->document().scenario(), before);
    EXPECT_EQ(box.text(), QStringLiteral("768"));

    QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(window->document().model().dModel, 12);
}

TEST_F(KeysTest, UndoTakesBackWhatIsTypedFirst)
{
    auto& box = child<ValueBox>("inspector.d_model.box");
    renameModel(window->document(), QStringLiteral("other"));
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("15"));

    QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(box.text(), QStringLiteral("768"));
    EXPECT_EQ(window->document().model().name, "other");

    QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(window->document().model().name, "other");
}

} // namespace
} // namespace flopsmith::ui
