// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring_thread.h"

#include "core/protocol/process/child_process.h"

#include <utility>

namespace flopsmith::ui {

MeasuringThread::MeasuringThread()
    : m_thread([this](const std::stop_token& stop) { loop(stop); })
{}

MeasuringThread::~MeasuringThread()
{
    cancel();
    m_thread.request_stop();
}

void MeasuringThread::start(MeasuringJob job)
{
    const std::lock_guard lock(m_mutex);
    m_current.request_stop();
    m_current = std::stop_source();
    m_next = std::move(job);
    m_changed.notify_one();
}

void MeasuringThread::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_current.request_stop();
    m_next.reset();
}

void MeasuringThread::loop(const std::stop_token& stop)
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [this] { return m_next.has_value(); })) {
            break;
        }
        MeasuringJob job = std::move(*m_next);
        m_next.reset();
        const std::stop_token current = m_current.get_token();
        lock.unlock();
        run(job, current);
    }
    m_session.reset();
}

void MeasuringThread::run(MeasuringJob& job, const std::stop_token& stop)
{
    if (!m_session || m_session->device() != job.device) {
        m_session.emplace(job.device);
    }
    const MeasuringOutcome outcome =
        measureParts(*m_session, job.plan, job.options, stop, job.known, job.observer);
    if (!outcome.cancelled && !stop.stop_requested()) {
        job.finished(outcome);
    } else {
        waitForKilled(
            {}); // a program that did not heed the cancel: nobody else may ask for it soon
    }
}

} // namespace flopsmith::ui
