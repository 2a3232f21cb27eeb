// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/search/search.h"

#include <QObject>

#include <thread>
#include <vector>

namespace flopsmith::ui {

/// Searches on a thread of its own, so that the window stays responsive. A new search cancels the
/// previous one; the destructor and cancel() wait for one evaluation at most.
class BudgetSearch : public QObject
{
    Q_OBJECT

public:
    explicit BudgetSearch(QObject* parent = nullptr);
    ~BudgetSearch() override;

    /// finished() follows, unless cancelled before.
    void start(const SearchPlan& plan);
    void cancel();
    bool isRunning() const { return !m_threads.empty(); }

Q_SIGNALS:
    void finished(const flopsmith::Result<flopsmith::SearchResult>& result);

private:
    void report(int run, const Result<SearchResult>& result);

    int m_run = 0; ///< results of earlier runs are dropped
    std::vector<std::jthread> m_threads; ///< one at most; last, because it reports to the others
};

} // namespace flopsmith::ui
