// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/device_inquiry.h"

#include "core/protocol/device/device_session.h"

#include <QMetaObject>

namespace flopsmith::ui {
namespace {

DeviceAnswer answerOf(const Result<Described>& described)
{
    if (!described) {
        return {.text = QString::fromStdString(described.error().message)};
    }
    return {.ready = true,
            .device = QString::fromStdString(described->device),
            .text = QString::fromStdString(described->program)};
}

} // namespace

DeviceInquiry::DeviceInquiry(QObject* parent)
    : QObject(parent)
{}

DeviceInquiry::~DeviceInquiry()
{
    cancel();
}

void DeviceInquiry::ask(const Device& device)
{
    ++m_running;
    m_threads.emplace_back([this, device, run = m_run](const std::stop_token& stop) {
        DeviceSession session(device);
        const DeviceAnswer answer = answerOf(describedBy(session, kDescribePatience, stop));
        session.close();
        QMetaObject::invokeMethod(
            this,
            [this, device, answer, run] {
                if (run == m_run) {
                    --m_running;
                    Q_EMIT answered(device, answer);
                }
            },
            Qt::QueuedConnection);
    });
}

void DeviceInquiry::lookForTorch(const std::string& python)
{
    m_threads.emplace_back([this, python, run = m_run](const std::stop_token& stop) {
        const Result<std::vector<TorchDevice>> devices = torchDevices(python, stop);
        if (!devices) {
            return; // most people have none, and need not know
        }
        QMetaObject::invokeMethod(
            this,
            [this, found = *devices, run] {
                if (run == m_run) {
                    Q_EMIT torchFound(found);
                }
            },
            Qt::QueuedConnection);
    });
}

void DeviceInquiry::cancel()
{
    ++m_run;
    m_running = 0;
    for (std::jthread& thread : m_threads) {
        thread.request_stop();
    }
    m_threads.clear();
}

} // namespace flopsmith::ui

#include "moc_device_inquiry.cpp"
