// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QList>
#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QKeySequence;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Mutes a part of all selected blocks, or executes it again, and says what that changes. Each action
/// is enabled while the selection has its part, and checked while that is muted.
class MuteActions : public QObject
{
    Q_OBJECT

public:
    /// The shortcuts work in the canvas alone: their letters type text elsewhere.
    MuteActions(Document& document, QWidget& canvas);

    QAction& ffn() { return *m_ffn; }
    QAction& mixer() { return *m_mixer; }
    QAction& cross() { return *m_cross; }

private:
    QAction* added(const QString& name,
                   const QString& text,
                   const QKeySequence& keys,
                   BlockPart::Kind part,
                   const QString& disabledReason);
    void update();
    void update(QAction& action, BlockPart::Kind part);
    void toggle(BlockPart::Kind part);

    Document& m_document;
    QWidget& m_canvas;
    QAction* m_ffn;
    QAction* m_mixer;
    QAction* m_cross;
};

} // namespace flopsmith::ui
