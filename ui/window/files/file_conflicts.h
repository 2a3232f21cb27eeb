// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/journal/open_file_mark.h"
#include "ui/document/document.h"
#include "ui/document/file_watch.h"
#include "ui/window/files/question_bars.h"

#include <QObject>

#include <filesystem>

namespace flopsmith::ui {

/// Asks what to do when another program has changed or removed the document's file, and detects
/// whether another window has it open. No work is overwritten without an answer.
class FileConflicts : public QObject
{
    Q_OBJECT

public:
    FileConflicts(Document& document, QuestionBars& questions, QObject* parent);

    /// Uses this folder to tell other windows which file is open here.
    void useFolder(const std::filesystem::path& folder);

    /// Whether saving overwrites no other changes of the file; asks if it would.
    bool maySave();

    /// Checks the file now.
    void check() { m_watch.check(); }

    /// A sentence if another window already has the document's file open; else empty.
    QString openElsewhere() const;

Q_SIGNALS:
    void saveAnywayChosen();
    void saveAsChosen();
    void reloadFailed(const QString& sentence);

private:
    void followFile();
    void mark();
    void show();
    void askAboutChange(bool hasOwnChanges);
    void askAboutRemoval();
    void reload();

    Document& m_document;
    QuestionBars& m_questions;
    FileWatch m_watch;
    std::filesystem::path m_folder; ///< of the marks; empty: none are written
    QString m_path; ///< of the document's file
    OpenFileMark m_mark;
};

} // namespace flopsmith::ui
