// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/project/block_clip.h"
#include "ui/document/document.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QMimeData;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Cuts, copies and pastes the selected runs by the system's clipboard, within a window and between
/// windows. On it they are JSON, as blocks and as text. What cannot be pasted is refused with a
/// sentence of the document.
class BlockClipboard : public QObject
{
    Q_OBJECT

public:
    /// The shortcuts work in the canvas alone: line edits have the same.
    BlockClipboard(Document& document, QWidget& canvas);

    QAction& cut() { return *m_cut; }
    QAction& copy() { return *m_copy; }
    QAction& paste() { return *m_paste; }
    QAction& pasteFfn() { return *m_pasteFfn; }

    /// All of them, in the order of a menu.
    QList<QAction*> actions() const { return {m_cut, m_copy, m_paste, m_pasteFfn}; }

Q_SIGNALS:
    /// Instead of blocks what may be the text of a whole design was pasted.
    void designPasted(const QString& text);

private:
    QAction* added(const QString& name,
                   const QString& text,
                   const QKeySequence& keys,
                   void (BlockClipboard::*run)());
    void readClipboard();
    void updateEnabled();
    void cutRuns();
    void copyRuns();
    void pasteRuns();
    void pasteFfnOnly();
    std::optional<BlockClip> clip();

    Document& m_document;
    bool m_holdsText = false; ///< the clipboard, at its last change
    QWidget& m_canvas;
    QAction* m_cut = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_paste = nullptr;
    QAction* m_pasteFfn = nullptr;
};

/// Runs as they stand on the clipboard.
std::unique_ptr<QMimeData> mimeData(const BlockClip& clip);

} // namespace flopsmith::ui
