// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/unsaved_work_offers.h"

#include "ui/document/journal/journaled_document.h"
#include "ui/document/journal/unsaved_work.h"

#include <utility>

namespace flopsmith::ui {
namespace {

const QString kUnsavedWork = QStringLiteral("unsavedWork");

} // namespace

UnsavedWorkOffers::UnsavedWorkOffers(Document& document,
                                     DocumentJournal& journal,
                                     QuestionBars& questions,
                                     std::function<bool()> mayLeave,
                                     QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_journal(journal)
    , m_questions(questions)
    , m_mayLeave(std::move(mayLeave))
{}

void UnsavedWorkOffers::offer(const std::filesystem::path& folder)
{
    for (AbandonedJournal& journal : unsavedWork(folder)) {
        m_waiting.push_back(std::move(journal));
    }
    askNext();
}

void UnsavedWorkOffers::askNext()
{
    if (m_waiting.empty()) {
        return;
    }
    const AbandonedJournal& journal = m_waiting.front();
    QString sentence = sentenceOf(journal, QDateTime::currentDateTime());
    if (m_waiting.size() > 1) {
        sentence += tr(" (%1 more to decide on)").arg(m_waiting.size() - 1);
    }
    QList<Answer> answers;
    if (journal.history) {
        answers << Answer{QStringLiteral("restore"), tr("&Restore"), [this] { restore(); }};
    }
    answers << Answer{QStringLiteral("later"), tr("&Later"), [this] { later(); }}
            << Answer{QStringLiteral("discard"), tr("&Discard"), [this] { discard(); }};
    m_questions.ask(kUnsavedWork, sentence, answers);
}

void UnsavedWorkOffers::restore()
{
    if (!m_mayLeave()) {
        askNext();
        return;
    }
    AbandonedJournal journal = std::move(m_waiting.front());
    m_waiting.pop_front();
    restoreFrom(*journal.history, m_document);
    if (m_journal.flush()) {
        journal.file.remove(); // the work is now in this window's own journal
    }
    Q_EMIT restored();
    askNext();
}

void UnsavedWorkOffers::discard()
{
    m_waiting.front().file.remove();
    later();
}

void UnsavedWorkOffers::later()
{
    m_waiting.pop_front();
    askNext();
}

} // namespace flopsmith::ui

#include "moc_unsaved_work_offers.cpp"
