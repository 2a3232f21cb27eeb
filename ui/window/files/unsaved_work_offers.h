// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/journal/document_journal.h"
#include "ui/window/files/question_bars.h"

#include <QObject>

#include <deque>
#include <filesystem>
#include <functional>

namespace flopsmith::ui {

/// Offers the unsaved work of crashed programs, one journal after the other, newest first: restore
/// it, discard it, or ask again at the next start.
class UnsavedWorkOffers : public QObject
{
    Q_OBJECT

public:
    /// `mayLeave` says whether the current document may be replaced.
    UnsavedWorkOffers(Document& document,
                      DocumentJournal& journal,
                      QuestionBars& questions,
                      std::function<bool()> mayLeave,
                      QObject* parent);

    void offer(const std::filesystem::path& folder);

Q_SIGNALS:
    void restored();

private:
    void askNext();
    void restore();
    void discard();
    void later();

    Document& m_document;
    DocumentJournal& m_journal;
    QuestionBars& m_questions;
    std::function<bool()> m_mayLeave;
    std::deque<AbandonedJournal> m_waiting; ///< the first is being offered
};

} // namespace flopsmith::ui
