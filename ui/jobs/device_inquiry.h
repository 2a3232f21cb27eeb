// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"

#include <QObject>
#include <QString>

#include <thread>
#include <vector>

namespace flopsmith::ui {

/// What came of asking a device who it is.
struct DeviceAnswer
{
    bool ready = false;
    QString device{}; ///< "Intel(R) Xeon(R) …, 2 cores"; empty if it is not ready
    QString text{}; ///< the program that answers, or why none does

    bool operator==(const DeviceAnswer&) const = default;
};

/// Asks devices to describe themselves, each on a thread of its own, so that one that hangs makes
/// nobody wait. The destructor and cancel() end what is being asked within a quarter of a second.
class DeviceInquiry : public QObject
{
    Q_OBJECT

public:
    explicit DeviceInquiry(QObject* parent = nullptr);
    ~DeviceInquiry() override;

    /// Answered by answered(), unless cancelled before.
    void ask(const Device& device);
    void cancel();

    int running() const { return m_running; }

Q_SIGNALS:
    void answered(const flopsmith::Device& device, const flopsmith::ui::DeviceAnswer& answer);

private:
    int m_run = 0; ///< answers of earlier runs are dropped
    int m_running = 0;
    std::vector<std::jthread> m_threads; ///< last: they report to the rest
};

} // namespace flopsmith::ui
