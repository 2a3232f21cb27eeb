// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/table/table.h"

#include <QObject>

#include <functional>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class FiguresView;

/// Copies the chosen rows of a table, or all of them: as text with tabs, which spreadsheets take, and
/// as Markdown. The entries are in the table's context menu and below a button.
class TableCopy : public QObject
{
    Q_OBJECT

public:
    /// The table with these rows of the view alone.
    using Source = std::function<Table(const std::vector<int>& rows)>;

    /// `name` is the prefix of the object names.
    TableCopy(FiguresView& view, const QString& name, Source source);

    /// A small button with the entries below it.
    QToolButton* createButton(QWidget* parent);

    void copyText();
    void copyMarkdown();

Q_SIGNALS:
    /// "3 rows copied as Markdown"
    void copied(const QString& sentence);

private:
    QAction* addEntry(const char* name, const QString& text);
    void put(const QString& text, const QString& form);
    Table chosen() const;

    FiguresView& m_view;
    QString m_name;
    Source m_source;
    QAction* m_text;
    QAction* m_markdown;
};

/// Some rows of a table.
Table withRows(const Table& table, const std::vector<int>& rows);

} // namespace flopsmith::ui
