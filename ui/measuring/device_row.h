// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"
#include "ui/jobs/device_inquiry.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One device of the list: its name and command, its description, and whether it answers.
class DeviceRow : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { own, listed };

    DeviceRow(const Device& device, Kind kind, QWidget* parent = nullptr);

    const Device& device() const { return m_device; }
    QString state() const;

    void showAsking();
    void show(const DeviceAnswer& answer);

    QPushButton& askButton() { return *m_ask; }
    QPushButton* removeButton() { return m_remove; } ///< null for a device of this machine

    using QFrame::show;

Q_SIGNALS:
    void askRequested();
    void removeRequested();

private:
    QHBoxLayout* createHead(QWidget* title, Kind kind);
    void setState(const QString& role, const QString& state, const QString& detail);

    Device m_device;
    QLabel* m_state;
    QLabel* m_detail;
    QPushButton* m_ask = nullptr;
    QPushButton* m_remove = nullptr;
};

} // namespace flopsmith::ui
