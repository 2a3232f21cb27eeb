// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/figure_view.h"

#include <QObject>

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace flopsmith::ui {

/// The figure of the request, or the sentence that says why there is none.
std::unique_ptr<Figure> figureOrSentence(const FigureRequest& request);

/// Makes figures on a thread of its own, so that the window goes on while a curve of a thousand
/// different blocks is computed. Of the requests for one view only the newest is computed next. The
/// destructor waits for the figure that is being made.
class FigureThread : public QObject
{
    Q_OBJECT

public:
    explicit FigureThread(QObject* parent = nullptr);
    ~FigureThread() override;

    /// Makes the figure of the request, which replaces one that waits for the same view; `made` is
    /// called with it. What the request points to, and does not own, is left out.
    void make(FigureView& view, FigureRequest request);

    /// Returns when all requested figures are made and handed over.
    void finish();

    /// Whether the figure costs so many evaluations of blocks that it should be made here.
    static bool isSlow(const FigureRequest& request);

    /// Receives each figure, in the thread of this object.
    std::function<void(FigureView& view, std::unique_ptr<Figure> figure)> made;

private:
    struct Job
    {
        FigureRequest request;
        bool threeDigits = false; ///< as the view's texts are written
    };

    void run(const std::stop_token& stop);
    void deliver();

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<FigureView*, Job> m_waiting;
    std::map<FigureView*, std::unique_ptr<Figure>> m_made;
    bool m_isMaking = false;
    KeptCurves m_keptCurves; ///< of the designs beside the document, for the thread alone
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace flopsmith::ui
