// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace flopsmith::ui {

/// Reports when another program changes or removes the document's file, and when such a change is
/// undone. The document's own writes are not reported.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(Document& document, QObject* parent = nullptr);

    /// Checks now, because not every file system notifies of changes.
    void check();

    DocumentFile::OnDisk state() const { return m_state; }

Q_SIGNALS:
    void stateChanged();

private:
    void follow();

    Document& m_document;
    QFileSystemWatcher m_watcher;
    DocumentFile::OnDisk m_state = DocumentFile::OnDisk::asLeft;
    QTimer m_settling;
};

} // namespace flopsmith::ui
