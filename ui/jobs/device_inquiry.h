// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"
#include "core/protocol/device/torch_devices.h"

#include <QObject>
#include <QString>

#include <string>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// The answer of a device that was asked to describe itself.
struct DeviceAnswer
{
    bool ready = false;
    QString device{}; ///< "Intel(R) Xeon(R) …, 2 cores"; empty if it is not ready
    QString text{}; ///< the program that answered, or why none did

    bool operator==(const DeviceAnswer&) const = default;
};

/// Asks devices to describe themselves, each on its own thread, so that one that hangs does not
/// delay the others. The destructor and cancel() end all inquiries within a quarter of a second.
class DeviceInquiry : public QObject
{
    Q_OBJECT

public:
    explicit DeviceInquiry(QObject* parent = nullptr);
    ~DeviceInquiry() override;

    /// answered() follows, unless cancelled before.
    void ask(const Device& device);

    /// torchFound() follows if the Python has a PyTorch that flopsmith-bench-torch can use.
    void lookForTorch(const std::string& python);

    void cancel();

    int running() const { return m_running; }

Q_SIGNALS:
    void answered(const flopsmith::Device& device, const flopsmith::ui::DeviceAnswer& answer);

    /// The devices that it computes on, the best first.
    void torchFound(const std::vector<flopsmith::TorchDevice>& devices);

private:
    int m_run = 0; ///< answers of earlier runs are dropped
    int m_running = 0;
    std::vector<std::jthread> m_threads; ///< last, because they report to the other members
};

} // namespace flopsmith::ui
