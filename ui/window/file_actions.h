// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/window/message_bar.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// New, open, recent, save, rename: the "File" menu and what stands behind it.
class FileActions : public QObject
{
    Q_OBJECT

public:
    FileActions(Document& document, MessageBar& messages, QWidget& window);

    void fill(QMenu& menu);
    void addQuit(QMenu& menu);

    /// Opens without asking about changes; a failure is shown and leaves the document.
    bool open(const QString& path);

    /// Whether the document may go: it is unmodified, was saved now, or is given up.
    bool mayLeave();

private:
    void startNew();
    void askAndOpen();
    void openRecent(const QString& path);
    bool save();
    bool askAndSave();
    bool saveTo(const QString& path);
    void rename();
    void fillRecent(QMenu& menu);
    void told(const QStringList& notes);

    Document& m_document;
    MessageBar& m_messages;
    QWidget& m_window;
};

} // namespace flopsmith::ui
