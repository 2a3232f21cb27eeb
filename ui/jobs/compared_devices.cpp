// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/compared_devices.h"

#include "core/protocol/device/device_list.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

std::vector<PartTime> timesOf(const Measuring& measuring, std::span<const MeasuredPart> parts)
{
    const std::vector<MeasuredPart>& plan = measuring.plan();
    std::vector<PartTime> times(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Operation& wanted = parts[i].operation;
        const auto same =
            std::find_if(plan.begin(), plan.end(), [&wanted](const MeasuredPart& part) {
                return part.operation == wanted;
            });
        if (same != plan.end()) {
            times[i] = measuring.times()[static_cast<std::size_t>(same - plan.begin())];
        }
    }
    return times;
}

ComparedDevices::ComparedDevices(QObject* parent)
    : QObject(parent)
{}

// Requests all to stop before waiting for the first of them.
ComparedDevices::~ComparedDevices()
{
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->measuring->disconnect(this);
        entry->measuring->cancel();
    }
}

std::unique_ptr<ComparedDevices::Entry> ComparedDevices::newEntry(const Device& device)
{
    auto entry = std::make_unique<Entry>();
    entry->device = device;
    entry->measuring = std::make_unique<Measuring>();
    Entry* there = entry.get();
    Measuring* measuring = there->measuring.get();
    if (!m_store.empty()) {
        measuring->useStore(m_store);
    }
    connect(measuring, &Measuring::planChanged, this, &ComparedDevices::timesChanged);
    connect(measuring, &Measuring::partChanged, this, &ComparedDevices::timesChanged);
    connect(measuring, &Measuring::peaksChanged, this, &ComparedDevices::timesChanged);
    connect(measuring, &Measuring::failed, this, [this, there](const QString& sentence) {
        there->failure = sentence;
        Q_EMIT failed(QString::fromStdString(there->device.name), sentence);
    });
    connect(measuring, &Measuring::finished, this, [this, there] { takeEnd(*there); });
    return entry;
}

void ComparedDevices::useStore(const std::filesystem::path& file)
{
    m_store = file;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->measuring->useStore(file);
    }
}

void ComparedDevices::recall(const std::vector<MeasuredPart>& plan)
{
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        if (entry->turn != Turn::waits && entry->turn != Turn::runs) {
            entry->measuring->recall(plan, entry->device);
        }
    }
}

void ComparedDevices::setDevices(const std::vector<Device>& devices)
{
    const bool wasRunning = isRunning();
    std::vector<std::unique_ptr<Entry>> entries;
    for (const Device& device : devices) {
        const auto same = std::find_if(
            m_entries.begin(), m_entries.end(), [&device](const std::unique_ptr<Entry>& entry) {
                return entry != nullptr && entry->device == device;
            });
        entries.push_back(same == m_entries.end() ? newEntry(device) : std::move(*same));
    }
    m_entries = std::move(entries);
    startNextHere(); // the running device may have been removed
    if (wasRunning && !isRunning()) {
        Q_EMIT finished();
    }
    Q_EMIT timesChanged();
}

std::vector<Device> ComparedDevices::devices() const
{
    std::vector<Device> devices;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        devices.push_back(entry->device);
    }
    return devices;
}

void ComparedDevices::start(const std::vector<MeasuredPart>& plan,
                            double budgetSeconds,
                            bool machineIsBusy)
{
    m_plan = plan;
    m_budgetSeconds = budgetSeconds;
    m_machineIsBusy = machineIsBusy;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->turn = entry->failure.isEmpty() ? Turn::waits : Turn::none;
        entry->measuring->cancel(); // a running device of this machine must wait again
    }
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        if (entry->turn == Turn::waits && !isOwnDevice(entry->device.name)) {
            run(*entry);
        }
    }
    startNextHere();
}

void ComparedDevices::machineIsFree()
{
    m_machineIsBusy = false;
    startNextHere();
}

void ComparedDevices::startNextHere()
{
    const auto has = [](Turn turn) {
        return [turn](const std::unique_ptr<Entry>& entry) {
            return entry->turn == turn && isOwnDevice(entry->device.name);
        };
    };
    if (m_machineIsBusy || std::any_of(m_entries.begin(), m_entries.end(), has(Turn::runs))) {
        return;
    }
    const auto next = std::find_if(m_entries.begin(), m_entries.end(), has(Turn::waits));
    if (next != m_entries.end()) {
        run(**next);
    }
}

void ComparedDevices::run(Entry& entry)
{
    entry.turn = Turn::runs;
    entry.measuring->start(m_plan, entry.device, m_budgetSeconds);
}

// Does nothing after a cancel, when the turn is no longer `runs`.
void ComparedDevices::takeEnd(Entry& entry)
{
    if (entry.turn != Turn::runs) {
        return;
    }
    entry.turn = Turn::done;
    Q_EMIT timesChanged();
    startNextHere();
    if (!isRunning()) {
        Q_EMIT finished();
    }
}

void ComparedDevices::cancel()
{
    const bool wasRunning = isRunning();
    m_machineIsBusy = false;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->turn = Turn::none;
    }
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->measuring->cancel();
    }
    if (wasRunning) {
        Q_EMIT timesChanged();
        Q_EMIT finished();
    }
}

void ComparedDevices::forget()
{
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        entry->measuring->forget(entry->device);
        entry->failure.clear();
    }
}

bool ComparedDevices::isRunning() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const std::unique_ptr<Entry>& entry) {
        return entry->turn == Turn::waits || entry->turn == Turn::runs;
    });
}

bool ComparedDevices::hasReachable() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const std::unique_ptr<Entry>& entry) {
        return entry->failure.isEmpty();
    });
}

int ComparedDevices::partsDone() const
{
    int done = 0;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        const bool started = entry->turn == Turn::runs || entry->turn == Turn::done;
        done += started ? entry->measuring->partsDone() : 0;
    }
    return done;
}

int ComparedDevices::partsInAll() const
{
    const auto taking =
        std::count_if(m_entries.begin(), m_entries.end(), [](const std::unique_ptr<Entry>& entry) {
            return entry->turn != Turn::none;
        });
    return static_cast<int>(taking) * static_cast<int>(m_plan.size());
}

std::vector<DeviceTimes> ComparedDevices::times(std::span<const MeasuredPart> parts) const
{
    std::vector<DeviceTimes> all;
    for (const std::unique_ptr<Entry>& entry : m_entries) {
        std::vector<PartTime> times = timesOf(*entry->measuring, parts);
        for (PartTime& time : times) {
            const bool waits = entry->turn == Turn::waits && time.state == PartState::pending;
            time.state = waits ? PartState::queued : time.state;
        }
        all.push_back({.device = entry->device.name,
                       .times = std::move(times),
                       .roofs = entry->measuring->roofs(),
                       .unavailable = entry->failure.toStdString(),
                       .processor = entry->measuring->deviceText().toStdString()});
    }
    return all;
}

} // namespace flopsmith::ui

#include "moc_compared_devices.cpp"
