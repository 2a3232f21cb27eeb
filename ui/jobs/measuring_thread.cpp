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
    m_store.reset();
}

// A store that could not be opened is not tried again.
void MeasuringThread::openStore(const MeasuringJob& job)
{
    if (job.store == m_storeFile) {
        return;
    }
    m_storeFile = job.store;
    m_store.reset();
    if (m_storeFile.empty()) {
        return;
    }
    Result<MeasurementStore> opened = MeasurementStore::open(m_storeFile);
    if (opened) {
        m_store.emplace(std::move(*opened));
    } else {
        job.storeFailed(opened.error());
    }
}

void MeasuringThread::reportStored(const MeasuringJob& job)
{
    if (!m_store) {
        return;
    }
    const Result<StoredMeasuring> stored = recalled(*m_store, job.device, job.plan, job.options);
    if (stored) {
        job.stored(*stored);
    } else {
        job.storeFailed(stored.error());
    }
}

void MeasuringThread::run(MeasuringJob& job, const std::stop_token& stop)
{
    if (!m_session || m_session->device() != job.device) {
        m_session.emplace(job.device);
    }
    openStore(job);
    MeasuringObserver observer = job.observer;
    observer.described = [this, &job](const Described& described) {
        job.observer.described(described);
        reportStored(job);
    };
    const StoredMeasuring measuring =
        measureWithStore(*m_session,
                         std::span(job.plan).first(job.peaksOnly ? 0 : job.plan.size()),
                         job.options,
                         stop,
                         m_store ? &*m_store : nullptr,
                         Reuse::no,
                         job.known,
                         observer);
    if (measuring.storeFailure) {
        job.storeFailed(*measuring.storeFailure);
    }
    if (!measuring.outcome.cancelled && !stop.stop_requested()) {
        job.finished(measuring.outcome);
    } else {
        waitForKilled({}); // a program that ignored the cancel; no later job may wait for it soon
    }
}

} // namespace flopsmith::ui
