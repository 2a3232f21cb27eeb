// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

namespace flopsmith::ui {

class Document;
class InsidePage;
class StackView;

/// The stack of blocks and, in its place, the inside of the selected block.
class StackPages : public QStackedWidget
{
    Q_OBJECT

public:
    explicit StackPages(Document& document, QWidget* parent = nullptr);

    StackView& stack() { return *m_stack; }
    InsidePage& inside() { return *m_inside; }
    bool isInside() const;

    /// Opens the selected run's block; nothing happens if no blocks are selected.
    void openInside();

    /// Shows the stack again, which gets the focus.
    void closeInside();

    /// Both pages read the document now instead of with the next frame.
    void refresh();

Q_SIGNALS:
    /// What the bars of the page in front show.
    void noteChanged(const QString& note);

private:
    void leaveIfNoBlocks();
    void showNote();

    Document& m_document;
    StackView* m_stack;
    InsidePage* m_inside;
};

} // namespace flopsmith::ui
