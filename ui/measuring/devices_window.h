// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/device/device.h"
#include "ui/jobs/device_inquiry.h"
#include "ui/measuring/device_row.h"
#include "ui/widgets/message_bar.h"

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A separate window with the list of devices and their state, where machines behind ssh or Slurm
/// can be added. Changes are saved at once.
class DevicesWindow : public QWidget
{
    Q_OBJECT

public:
    explicit DevicesWindow(QWidget* parent = nullptr);

    /// The devices of this machine, then those of the list.
    const std::vector<DeviceRow*>& rows() const { return m_rows; }
    MessageBar& messages() { return *m_messages; }
    QLineEdit& nameEdit() { return *m_name; }
    QLineEdit& commandEdit() { return *m_command; }
    QPushButton& addButton() { return *m_add; }
    QPushButton& torchButton() { return *m_addTorch; } ///< hidden without a PyTorch to be offered

    /// Reads the list again and asks every device to describe itself.
    void refresh();

    /// Redraws the icons in the colours of the current theme.
    void updateIcons();

Q_SIGNALS:
    /// A device was added or removed.
    void devicesChanged();

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* createList();
    QWidget* createForm();
    QPushButton* createExample(const QString& label, const QString& command, QWidget* parent);
    QLayout* createTorchOffer(QWidget* parent);
    void offerTorch(const std::vector<TorchDevice>& devices);
    void addTorch();
    bool add(const Device& device);
    void addRow(const Device& device, DeviceRow::Kind kind);
    void ask(DeviceRow& row);
    void showAnswer(const Device& device, const DeviceAnswer& answer);
    void addTyped();
    void removeDevice(const Device& device);
    bool keep(const Result<std::vector<Device>>& listed);

    MessageBar* m_messages;
    QVBoxLayout* m_list = nullptr;
    std::vector<DeviceRow*> m_rows;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_command = nullptr;
    QPushButton* m_add = nullptr;
    QLabel* m_torch = nullptr;
    QPushButton* m_addTorch = nullptr;
    TorchDevice m_offered; ///< the best that the found PyTorch computes on
    DeviceInquiry m_inquiry; ///< last, because it reports to the other members
};

} // namespace flopsmith::ui
