// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/journal/document_journal.h"
#include "ui/window/files/question_bars.h"

#include <QObject>

#include <deque>
#include <filesystem>
#include <functional>

namespace flopsmith::ui {

/// Offers what crashes left behind, one after another and the newest first: to restore it, to
/// discard it, or to be asked again at the next start.
class UnsavedWorkOffers : public QObject
{
    Q_OBJECT

public:
    /// `mayLeave` says whether the present document may make room.
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
    std::deque<AbandonedJournal> m_waiting; ///< the first is the one that is asked about
};

} // namespace flopsmith::ui
