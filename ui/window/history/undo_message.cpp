// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history/undo_message.h"

#include "ui/document/document.h"
#include "ui/widgets/message_bar.h"

#include <QUndoStack>

namespace flopsmith::ui {

UndoMessage::UndoMessage(Document& document, MessageBar& messages, QWidget& window)
    : QObject(&window)
    , m_messages(messages)
{
    connect(&document,
            &Document::removed,
            this,
            [this](const QString& sentence, const std::function<void()>& restore) {
                m_offered = sentence;
                m_messages.show(MessageBar::Kind::note, sentence, {tr("Undo"), restore});
            });
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, [this] {
        if (!m_offered.isEmpty() && m_messages.sentence() == m_offered) {
            m_messages.clear();
        }
        m_offered.clear();
    });
}

} // namespace flopsmith::ui

#include "moc_undo_message.cpp"
