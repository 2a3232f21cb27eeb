// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table/table_copy.h"

#include "core/io/table/common_units.h"
#include "core/io/table/table_text.h"
#include "ui/widgets/table/figures_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QToolButton>

#include <utility>

namespace flopsmith::ui {

TableCopy::TableCopy(FiguresView& view, const QString& name, Source source)
    : QObject(&view)
    , m_view(view)
    , m_name(name)
    , m_source(std::move(source))
    , m_text(addEntry("text", tr("Copy, &tab-separated")))
    , m_markdown(addEntry("markdown", tr("Copy as &Markdown")))
{
    m_text->setShortcut(QKeySequence::Copy);
    m_text->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_text->setToolTip(tr("The chosen rows, or all of them, with all digits: for a spreadsheet"));
    m_markdown->setToolTip(tr("The chosen rows, or all of them, as they are shown"));
    m_view.setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_text, &QAction::triggered, this, &TableCopy::copyText);
    connect(m_markdown, &QAction::triggered, this, &TableCopy::copyMarkdown);
}

QAction* TableCopy::addEntry(const char* name, const QString& text)
{
    auto* action = new QAction(text, this);
    action->setObjectName(m_name + QStringLiteral(".copy.") + QLatin1String(name));
    action->setProperty("ofWidget", true); // every table has its own, so it is no command
    m_view.addAction(action);
    return action;
}

QToolButton* TableCopy::createButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(m_name + QStringLiteral(".copy"));
    button->setText(tr("Copy \u25BE"));
    button->setAccessibleName(tr("Copy the table"));
    button->setToolTip(tr("Copy the chosen rows, or all of them"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(button);
    menu->setObjectName(m_name + QStringLiteral(".copy.menu"));
    menu->setAccessibleName(tr("Copy the table"));
    menu->addActions({m_text, m_markdown});
    button->setMenu(menu);
    return button;
}

Table TableCopy::chosen() const
{
    return m_source(m_view.chosenRows());
}

void TableCopy::copyText()
{
    put(QString::fromStdString(tabSeparatedText(chosen())), QString());
}

void TableCopy::copyMarkdown()
{
    put(QString::fromStdString(markdownText(chosen())), tr(" as Markdown"));
}

void TableCopy::put(const QString& text, const QString& form)
{
    QApplication::clipboard()->setText(text);
    const auto rows = static_cast<int>(m_view.chosenRows().size());
    Q_EMIT copied(rows == 1 ? tr("1 row copied%1").arg(form)
                            : tr("%1 rows copied%2").arg(rows).arg(form));
}

Table withRows(const Table& table, const std::vector<int>& rows)
{
    Table some{.caption = table.caption, .columns = table.columns};
    for (const int row : rows) {
        some.rows.push_back(table.rows.at(static_cast<std::size_t>(row)));
    }
    return some;
}

} // namespace flopsmith::ui

#include "moc_table_copy.cpp"
