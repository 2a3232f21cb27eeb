// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/keys_sheet.h"

#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/commands/action_text.h"

#include <QAbstractButton>
#include <QAction>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr QSize kSheetSize(820, 640);

struct Menu
{
    const char* prefix; ///< of the object names of its actions
    const char* title;
};

constexpr std::array<Menu, 9> kMenus{{{"file.", QT_TRANSLATE_NOOP("KeysSheet", "File")},
                                      {"edit.", QT_TRANSLATE_NOOP("KeysSheet", "Edit")},
                                      {"history.", QT_TRANSLATE_NOOP("KeysSheet", "Edit")},
                                      {"stack.", QT_TRANSLATE_NOOP("KeysSheet", "Edit")},
                                      {"window.", QT_TRANSLATE_NOOP("KeysSheet", "View")},
                                      {"view.", QT_TRANSLATE_NOOP("KeysSheet", "View")},
                                      {"charts.", QT_TRANSLATE_NOOP("KeysSheet", "View")},
                                      {"lab.", QT_TRANSLATE_NOOP("KeysSheet", "Lab")},
                                      {"help.", QT_TRANSLATE_NOOP("KeysSheet", "Help")}}};

// An action whose text changes has a general name as a property.
QString nameOf(const QAction& action)
{
    const QString general = action.property("generalName").toString();
    return plainText(general.isEmpty() ? action.text() : general);
}

void addActions(const QWidget& window, const Menu& menu, std::vector<KeyLine>& lines)
{
    for (const QAction* action : window.findChildren<QAction*>()) {
        const bool has = action->objectName().startsWith(QLatin1String(menu.prefix))
            && !action->shortcuts().isEmpty() && !action->text().isEmpty();
        if (has && !keysText(action->shortcuts()).isEmpty()) {
            lines.push_back(
                {KeysSheet::tr(menu.title), nameOf(*action), keysText(action->shortcuts())});
        }
    }
}

void addButtons(const QWidget& window, std::vector<KeyLine>& lines)
{
    for (const auto* button : window.findChildren<QAbstractButton*>()) {
        if (!button->shortcut().isEmpty() && button->window() == &window) {
            lines.push_back({KeysSheet::tr("Buttons"),
                             plainText(button->text()),
                             keysText({button->shortcut()})});
        }
    }
}

void addFixed(std::vector<KeyLine>& lines)
{
    const QString stack = KeysSheet::tr("In the stack");
    lines.push_back(
        {stack, KeysSheet::tr("Select the row above or below"), KeysSheet::tr("Up, Down")});
    lines.push_back(
        {stack, KeysSheet::tr("Select the first or last row"), KeysSheet::tr("Home, End")});
    lines.push_back({stack,
                     KeysSheet::tr("Extend the selection by a run"),
                     KeysSheet::tr("Shift+Up, Shift+Down")});
    lines.push_back({stack, KeysSheet::tr("Back to one selected run"), KeysSheet::tr("Esc")});
    lines.push_back({stack, KeysSheet::tr("Look inside the block"), KeysSheet::tr("Space")});
    lines.push_back({stack, KeysSheet::tr("Scroll by a page"), KeysSheet::tr("PgUp, PgDown")});
    lines.push_back(
        {stack, KeysSheet::tr("Zoom about the pointer"), KeysSheet::tr("Ctrl+wheel, pinch")});
    const QString picked = KeysSheet::tr("With blocks picked up");
    lines.push_back({picked, KeysSheet::tr("Go to the next place"), KeysSheet::tr("Up, Down")});
    lines.push_back({picked,
                     KeysSheet::tr("Go on by one block, also into a run"),
                     KeysSheet::tr("Shift+Up, Shift+Down")});
    lines.push_back({picked, KeysSheet::tr("Drop them"), KeysSheet::tr("Return")});
    lines.push_back(
        {picked, KeysSheet::tr("Drop one block of the run"), KeysSheet::tr("Shift+Return")});
    lines.push_back({picked, KeysSheet::tr("Drop a copy"), KeysSheet::tr("Alt+Return")});
    lines.push_back({picked,
                     KeysSheet::tr("Copy the FFN onto the blocks passed last"),
                     KeysSheet::tr("Ctrl+Return")});
    lines.push_back({picked, KeysSheet::tr("Leave everything as it was"), KeysSheet::tr("Esc")});
    const QString inside = KeysSheet::tr("Inside a block");
    lines.push_back(
        {inside, KeysSheet::tr("Select the operation above or below"), KeysSheet::tr("Up, Down")});
    lines.push_back({inside,
                     KeysSheet::tr("Up to the part, to the block, back to the stack"),
                     KeysSheet::tr("Esc")});
    const QString chart = KeysSheet::tr("In a chart");
    lines.push_back({chart,
                     KeysSheet::tr("Select the operation of the slice, bar or dot"),
                     KeysSheet::tr("Return, Space")});
    lines.push_back({chart, KeysSheet::tr("Select no operation"), KeysSheet::tr("Esc")});
    const QString formula = KeysSheet::tr("On a letter of a formula");
    lines.push_back({formula,
                     KeysSheet::tr("Move its parameter; Shift: by the smallest step"),
                     KeysSheet::tr("Left, Right, Up, Down, PgUp, PgDown")});
    lines.push_back({formula, KeysSheet::tr("Take a drag back"), KeysSheet::tr("Esc")});
    lines.push_back({KeysSheet::tr("In a derivation"),
                     KeysSheet::tr("Open the next step, close the last"),
                     KeysSheet::tr("Right, Left")});
    const QString lecture = KeysSheet::tr("In a lecture");
    lines.push_back(
        {lecture, KeysSheet::tr("On and back"), KeysSheet::tr("Right, PgDown, Space, Left, PgUp")});
    lines.push_back({lecture, KeysSheet::tr("Blank the screen"), KeysSheet::tr("B, .")});
    lines.push_back({lecture,
                     KeysSheet::tr("Freeze a ghost, spotlight, lens, notes"),
                     KeysSheet::tr("F, S, L, N")});
    lines.push_back({lecture, KeysSheet::tr("Larger and smaller type"), KeysSheet::tr("+, -")});
    lines.push_back({lecture,
                     KeysSheet::tr("Answer, reveal, why or derivation, two minutes"),
                     KeysSheet::tr("1 to 5, R, W, T")});
    const QString box = KeysSheet::tr("In a value box");
    lines.push_back({box, KeysSheet::tr("The next legal value"), KeysSheet::tr("Up, Down")});
    lines.push_back({box, KeysSheet::tr("Take what is typed"), KeysSheet::tr("Return, Tab")});
    lines.push_back({KeysSheet::tr("In a parameter's row"),
                     KeysSheet::tr("Tie the parameter to a formula, or lock it"),
                     KeysSheet::tr("Shift+F10, Menu")});
}

} // namespace

std::vector<KeyLine> keyLines(const QWidget& window)
{
    std::vector<KeyLine> lines;
    for (const Menu& menu : kMenus) {
        addActions(window, menu, lines);
    }
    addButtons(window, lines);
    addFixed(lines);
    return lines;
}

KeysSheet::KeysSheet(QWidget& window)
    : QDialog(&window)
{
    setObjectName(QStringLiteral("help.keysSheet"));
    setAccessibleName(tr("Keys"));
    setWindowTitle(tr("Keys – Flopsmith"));
    setAttribute(Qt::WA_DeleteOnClose);
    const std::vector<KeyLine> lines = keyLines(window);
    auto* table = new QTableWidget(static_cast<int>(lines.size()), 3, this);
    table->setObjectName(QStringLiteral("help.keysTable"));
    table->setAccessibleName(tr("Keys of the window"));
    table->setHorizontalHeaderLabels({tr("Where"), tr("What"), tr("Keys")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    QString group;
    for (int row = 0; row < static_cast<int>(lines.size()); ++row) {
        const KeyLine& line = lines[static_cast<std::size_t>(row)];
        table->setItem(row, 0, new QTableWidgetItem(line.group == group ? QString() : line.group));
        table->setItem(row, 1, new QTableWidgetItem(line.what));
        table->setItem(row, 2, new QTableWidgetItem(line.keys));
        group = line.group;
    }
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft);
    auto* column = new QVBoxLayout(this);
    column->addWidget(table);
    resizeToFit(*this, kSheetSize);
}

} // namespace flopsmith::ui

#include "moc_keys_sheet.cpp"
