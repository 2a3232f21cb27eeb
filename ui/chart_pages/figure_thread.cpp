// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/figure_thread.h"

#include "core/base/text.h"
#include "ui/charts/base/sentence_figure.h"
#include "ui/charts/chart_kinds.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>
#include <vector>

namespace flopsmith::ui {
namespace {

// The number of different blocks, or `limit` if there are more.
std::size_t differentBlocks(const Model& model, std::size_t limit)
{
    std::vector<const Block*> found;
    for (const BlockRun& run : model.runs) {
        const bool isNew = std::none_of(found.begin(), found.end(), [&run](const Block* block) {
            return block->ffn == run.block.ffn && *block == run.block;
        });
        if (isNew) {
            found.push_back(&run.block);
        }
        if (found.size() == limit) {
            break;
        }
    }
    return found.size();
}

std::size_t pointsOf(const FigureRequest& request)
{
    std::size_t points = request.axis ? request.axis->values.size() : 0;
    if (!request.axes.empty()) {
        points = 1;
        for (const Axis& axis : request.axes) {
            points *= axis.values.size();
        }
    }
    return points;
}

} // namespace

std::unique_ptr<Figure> figureOrSentence(const FigureRequest& request)
{
    FigureResult figure = figureFor(request);
    return figure ? std::move(figure).value()
                  : std::make_unique<SentenceFigure>(Charts::tr(chartKind(request.kind).title),
                                                     toQt(figure.error().message));
}

FigureThread::FigureThread(QObject* parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token& stop) { run(stop); })
{}

FigureThread::~FigureThread() = default;

bool FigureThread::isSlow(const FigureRequest& request)
{
    constexpr std::size_t kEvaluations = 500; // of blocks, about 2 ms
    const std::size_t points = pointsOf(request);
    return points > 0
        && points * differentBlocks(request.scenario.model, kEvaluations / points + 1)
        > kEvaluations;
}

void FigureThread::make(FigureView& view, FigureRequest request)
{
    request.tree = nullptr;
    request.parts = {};
    request.keptCurves = nullptr;
    for (ComparedDesign& design : request.others) {
        design.tree = nullptr;
        design.memory = nullptr;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.insert_or_assign(&view, Job{std::move(request), view.scale().threeDigits});
    }
    m_changed.notify_all();
}

void FigureThread::finish()
{
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_waiting.empty() && !m_isMaking; });
    }
    deliver();
}

void FigureThread::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); })) {
        const auto next = m_waiting.extract(m_waiting.begin());
        Job& job = next.mapped();
        m_isMaking = true;
        lock.unlock();
        job.request.keptCurves = &m_keptCurves;
        const ThreeDigits digits(job.threeDigits);
        std::unique_ptr<Figure> figure = figureOrSentence(job.request);
        lock.lock();
        m_isMaking = false;
        m_made.insert_or_assign(next.key(), std::move(figure));
        m_changed.notify_all();
        QMetaObject::invokeMethod(this, &FigureThread::deliver, Qt::QueuedConnection);
    }
}

void FigureThread::deliver()
{
    std::map<FigureView*, std::unique_ptr<Figure>> figures;
    {
        const std::lock_guard lock(m_mutex);
        figures.swap(m_made);
    }
    for (auto& [view, figure] : figures) {
        made(*view, std::move(figure));
    }
}

} // namespace flopsmith::ui

#include "moc_figure_thread.cpp"
