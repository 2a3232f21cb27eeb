// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace flopsmith::ui {

/// Notices when somebody else changes or removes the document's file, and when what was done to it
/// is undone. What the document writes itself is no change.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(Document& document, QObject* parent = nullptr);

    /// Looks now: not every file system tells of changes by itself.
    void check();

    Document::OnDisk state() const { return m_state; }

Q_SIGNALS:
    void stateChanged();

private:
    void follow();

    Document& m_document;
    QFileSystemWatcher m_watcher;
    Document::OnDisk m_state = Document::OnDisk::asLeft;
    QTimer m_settling;
};

} // namespace flopsmith::ui
