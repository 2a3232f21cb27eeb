// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/store_thread.h"

#include <utility>

namespace flopsmith::ui {

StoreThread::StoreThread(std::filesystem::path file, std::function<void(const Error&)> failed)
    : m_file(std::move(file))
    , m_failed(std::move(failed))
    , m_thread([this](const std::stop_token& stop) { loop(stop); })
{}

StoreThread::~StoreThread()
{
    m_thread.request_stop();
}

void StoreThread::read(Reading job)
{
    add({.writes = false, .act = std::move(job)});
}

void StoreThread::write(Writing job)
{
    add({.writes = true, .act = std::move(job)});
}

void StoreThread::add(Job job)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
    m_changed.notify_one();
}

void StoreThread::loop(const std::stop_token& stop)
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [this] { return !m_jobs.empty(); });
        if (m_jobs.empty()) {
            return; // asked to stop, and nothing is left
        }
        const Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        if (job.writes || !stop.stop_requested()) {
            run(job);
        }
    }
}

void StoreThread::run(const Job& job)
{
    if (m_broken) {
        return;
    }
    Status done = openFor(job);
    if (done && m_store) {
        done = job.act(*m_store);
    }
    if (!done) {
        m_broken = true;
        m_store.reset();
        m_failed(done.error());
    }
}

Status StoreThread::openFor(const Job& job)
{
    if (m_store) {
        return Done{};
    }
    if (job.writes) {
        Result<MeasurementStore> opened = MeasurementStore::open(m_file);
        if (!opened) {
            return opened.error();
        }
        m_store.emplace(std::move(*opened));
        return Done{};
    }
    Result<std::optional<MeasurementStore>> existing = MeasurementStore::openExisting(m_file);
    if (!existing) {
        return existing.error();
    }
    m_store = std::move(*existing);
    return Done{};
}

} // namespace flopsmith::ui
