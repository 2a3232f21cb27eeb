// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class MessageBar;

/// Offers the way back in the message about something that was removed. The next step takes the offer
/// away, because undo would then be about that.
class UndoMessage : public QObject
{
    Q_OBJECT

public:
    UndoMessage(Document& document, MessageBar& messages, QWidget& window);

private:
    MessageBar& m_messages;
    QString m_offered; ///< the sentence of the offer
};

} // namespace flopsmith::ui
