// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/budget_search.h"

#include "core/base/threads.h"

#include <QMetaObject>

namespace flopsmith::ui {

BudgetSearch::BudgetSearch(QObject* parent)
    : QObject(parent)
{}

BudgetSearch::~BudgetSearch()
{
    cancel();
}

void BudgetSearch::start(const SearchPlan& plan)
{
    cancel();
    const auto work = [this, plan, run = m_run](const std::stop_token& stop) {
        const Result<SearchResult> result = search(plan, stop);
        QMetaObject::invokeMethod(
            this, [this, run, result] { report(run, result); }, Qt::QueuedConnection);
    };
    if (const Status started = startThread(m_threads, work); !started) {
        Q_EMIT finished(started.error());
    }
}

void BudgetSearch::cancel()
{
    ++m_run;
    for (std::jthread& thread : m_threads) {
        thread.request_stop();
    }
    m_threads.clear();
}

void BudgetSearch::report(int run, const Result<SearchResult>& result)
{
    if (run == m_run) {
        m_threads.clear();
        Q_EMIT finished(result);
    }
}

} // namespace flopsmith::ui

#include "moc_budget_search.cpp"
