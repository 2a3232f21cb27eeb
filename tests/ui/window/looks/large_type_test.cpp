// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/looks/cut_widgets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/window/window_picture.h"

#include <QAction>
#include <QHeaderView>
#include <QTableView>
#include <QTableWidget>

#include <array>

namespace flopsmith::ui {
namespace {

// As with type of 150 % on a projector of 1280 × 720.
class LargeTypeTest : public test::WindowTest
{
protected:
    LargeTypeTest()
    {
        QFont large = m_font;
        large.setPointSizeF(large.pointSizeF() * 1.5);
        QApplication::setFont(large);
        open();
    }
    ~LargeTypeTest() override
    {
        window.reset();
        QApplication::setFont(m_font);
    }

    static void expectWhole(const QWidget& shown)
    {
        EXPECT_EQ(test::cutWidgets(shown).join(QStringLiteral("; ")).toStdString(), "")
            << qPrintable(shown.objectName());
    }

private:
    const QFont m_font = QApplication::font();
};

TEST_F(LargeTypeTest, EveryPageShowsItsTexts)
{
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        window->settle();
        expectWhole(*window);
    }
}

TEST_F(LargeTypeTest, TheLabShowsItsTexts)
{
    child<QAction>("view.lab").trigger();
    expectWhole(*window);
}

TEST_F(LargeTypeTest, EveryDialogShowsItsTexts)
{
    constexpr std::array<const char*, 5> kOpening{
        "edit.fit", "help.keys", "help.about", "view.claims", "file.start"};
    for (const char* name : kOpening) {
        child<QAction>(name).trigger();
        const QList<QWidget*> dialogs = shownDialogs(*window);
        ASSERT_EQ(dialogs.size(), 1) << name;
        expectWhole(*dialogs.front());
        dialogs.front()->close();
    }
}

TEST_F(LargeTypeTest, WhatOpensOverTheStackShowsItsTexts)
{
    for (const char* name : {"stack.insert", "stack.find", "window.commands", "help.whatIsThis"}) {
        window->stack().setFocus();
        child<QAction>(name).trigger();
        expectWhole(*window);
    }
}

TEST_F(LargeTypeTest, RowsOfTablesAreAsHighAsTheirText)
{
    for (const QTableView* table : window->findChildren<QTableView*>()) {
        EXPECT_GE(table->verticalHeader()->defaultSectionSize(), table->fontMetrics().height())
            << qPrintable(table->objectName());
    }
}

TEST_F(LargeTypeTest, TheListOfKeysSaysWhatEachDoes)
{
    child<QAction>("help.keys").trigger();
    child<QWidget>("help.keysSheet").resize(1130, 680); // as on the projector
    QCoreApplication::processEvents();
    const auto& table = child<QTableWidget>("help.keysTable");
    for (int row = 0; row < table.rowCount(); ++row) {
        const QString what = table.item(row, 1)->text();
        EXPECT_LE(table.fontMetrics().horizontalAdvance(what), table.columnWidth(1))
            << qPrintable(what);
    }
}

} // namespace
} // namespace flopsmith::ui
