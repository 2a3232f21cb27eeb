// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/devices_window.h"

#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device_list.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/widgets/panel.h"

#include <QCloseEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kGap = 10;
constexpr int kRowGap = 8;
constexpr int kTextMargin = 6;
constexpr int kWidth = 760;
constexpr int kAroundList = 250; ///< height without the list
constexpr int kMin = 440;
constexpr int kMax = 690; ///< fits a projector's screen with a title bar
constexpr const char* kTorchPython = "python3"; ///< what most people's pip install goes to

QLabel* fieldLabel(const QString& text, QWidget* buddy, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setBuddy(buddy);
    label->setProperty("role", "section");
    return label;
}

QLineEdit* field(const QString& name,
                 const QString& accessibleName,
                 const QString& hint,
                 QWidget* parent)
{
    auto* edit = new QLineEdit(parent);
    edit->setObjectName(name);
    edit->setAccessibleName(accessibleName);
    edit->setPlaceholderText(hint);
    edit->setTextMargins(kTextMargin, 0, kTextMargin, 0);
    return edit;
}

} // namespace

DevicesWindow::DevicesWindow(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_messages(new MessageBar(this))
{
    setObjectName(QStringLiteral("devices"));
    setAccessibleName(tr("Devices that can measure"));
    setWindowTitle(tr("Devices – Flopsmith"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addWidget(createList(), 1);
    QWidget* form = createForm();
    column->addWidget(form);
    m_messages->floatAbove(*form);
    auto* close = new QShortcut(this);
    close->setKeys(standardKeys(QKeySequence::Close, tr("Ctrl+W")));
    connect(close, &QShortcut::activated, this, &QWidget::close);
    connect(&m_inquiry, &DeviceInquiry::answered, this, &DevicesWindow::showAnswer);
    connect(&m_inquiry, &DeviceInquiry::torchFound, this, &DevicesWindow::offerTorch);
    updateIcons();
    refresh();
    const int height = std::clamp(m_list->sizeHint().height() + kAroundList, kMin, kMax);
    resizeToFit(*this, QSize(kWidth, height));
    m_name->setFocus();
}

QWidget* DevicesWindow::createList()
{
    auto* panel = new Panel(QStringLiteral("devices.list"), tr("Devices"), this);
    panel->setNote(tr("each is a command that speaks Flopsmith's protocol"));
    auto* area = new QScrollArea(panel);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(tr("List of devices"));
    area->setFocusPolicy(Qt::NoFocus);
    auto* rows = new QWidget(area);
    rows->setObjectName(QStringLiteral("devices.rows"));
    m_list = new QVBoxLayout(rows);
    m_list->setContentsMargins(0, 0, 0, 0);
    m_list->setSpacing(kRowGap);
    m_list->addStretch(1);
    area->setWidget(rows);
    area->viewport()->setAutoFillBackground(false);
    rows->setAutoFillBackground(false);
    panel->setBody(area);
    return panel;
}

QWidget* DevicesWindow::createForm()
{
    auto* panel = new Panel(QStringLiteral("devices.add"), tr("Add a device"), this);
    auto* form = new QWidget(panel);
    m_name =
        field(QStringLiteral("devices.name"), tr("Name of the new device"), tr("GPU box"), form);
    m_command = field(QStringLiteral("devices.command"),
                      tr("Command of the new device"),
                      QStringLiteral("ssh -o BatchMode=yes gpu-box flopsmith-bench-cuda"),
                      form);
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_add = new QPushButton(tr("&Add"), form);
    m_add->setObjectName(QStringLiteral("devices.addButton"));
    m_add->setAccessibleName(tr("Add the device"));
    m_add->setProperty("primary", true);
    connect(m_add, &QPushButton::clicked, this, &DevicesWindow::addTyped);
    connect(m_name, &QLineEdit::returnPressed, this, &DevicesWindow::addTyped);
    connect(m_command, &QLineEdit::returnPressed, this, &DevicesWindow::addTyped);
    auto* examples = new QHBoxLayout;
    examples->setSpacing(4);
    examples->addWidget(createExample(
        tr("by ssh"), QStringLiteral("ssh -o BatchMode=yes HOST flopsmith-bench-cuda"), form));
    examples->addWidget(createExample(
        tr("by Slurm"), QStringLiteral("srun -p PARTITION --gpus 1 flopsmith-bench-cuda"), form));
    examples->addStretch(1);
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(kRowGap);
    grid->addWidget(fieldLabel(tr("&Name"), m_name, form), 0, 0);
    grid->addWidget(m_name, 0, 1, 1, 2);
    grid->addWidget(fieldLabel(tr("&Command"), m_command, form), 1, 0);
    grid->addWidget(m_command, 1, 1, 1, 2);
    grid->addLayout(examples, 2, 1);
    grid->addWidget(m_add, 2, 2);
    grid->addLayout(createTorchOffer(form), 3, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    panel->setBody(form);
    return panel;
}

// Inserts the example command and selects the word to replace.
QPushButton* DevicesWindow::createExample(const QString& label,
                                          const QString& command,
                                          QWidget* parent)
{
    auto* button = new QPushButton(label, parent);
    button->setProperty("flat", true);
    button->setAccessibleName(tr("Begin a command %1").arg(label));
    button->setToolTip(command);
    connect(button, &QPushButton::clicked, this, [this, command] {
        m_command->setText(command);
        const QString word = command.contains(QLatin1String("HOST")) ? QStringLiteral("HOST")
                                                                     : QStringLiteral("PARTITION");
        m_command->setFocus();
        m_command->setSelection(static_cast<int>(command.indexOf(word)),
                                static_cast<int>(word.size()));
    });
    return button;
}

// Shown once a Python with PyTorch was found.
QLayout* DevicesWindow::createTorchOffer(QWidget* parent)
{
    m_torch = new QLabel(parent);
    m_torch->setProperty("role", "muted");
    m_torch->setTextFormat(Qt::PlainText);
    m_torch->setWordWrap(true);
    m_torch->hide();
    m_addTorch = new QPushButton(tr("Add &PyTorch"), parent);
    m_addTorch->setObjectName(QStringLiteral("devices.addTorch"));
    m_addTorch->setAccessibleName(tr("Add the device that PyTorch computes on"));
    m_addTorch->hide();
    connect(m_addTorch, &QPushButton::clicked, this, &DevicesWindow::addTorch);
    auto* row = new QHBoxLayout;
    row->addWidget(m_torch, 1);
    row->addWidget(m_addTorch);
    return row;
}

void DevicesWindow::offerTorch(const std::vector<TorchDevice>& devices)
{
    m_offered = devices.front();
    m_torch->setText(tr("python3 has PyTorch, which computes on %1")
                         .arg(QString::fromStdString(textOf(devices))));
    m_torch->show();
    m_addTorch->show();
}

void DevicesWindow::addTorch()
{
    const TorchSetting setting{.python = kTorchPython, .device = m_offered.name};
    if (add({"PyTorch " + m_offered.name, torchCommand(setting)})) {
        m_torch->hide();
        m_addTorch->hide();
    }
}

void DevicesWindow::refresh()
{
    m_inquiry.cancel();
    qDeleteAll(std::exchange(m_rows, {}));
    for (const Device& device : ownDevices()) {
        addRow(device, DeviceRow::Kind::own);
    }
    const Result<std::vector<Device>> listed = listedDevices();
    if (!listed) {
        m_messages->show(MessageBar::Kind::error, QString::fromStdString(listed.error().message));
        return;
    }
    for (const Device& device : *listed) {
        addRow(device, DeviceRow::Kind::listed);
    }
    if (std::ranges::none_of(*listed, measuresByTorch)) {
        m_inquiry.lookForTorch(kTorchPython);
    }
}

void DevicesWindow::addRow(const Device& device, DeviceRow::Kind kind)
{
    auto* row = new DeviceRow(device, kind, this);
    row->setObjectName(QStringLiteral("devices.row.") + QString::fromStdString(device.name));
    m_list->insertWidget(m_list->count() - 1, row);
    m_rows.push_back(row);
    connect(row, &DeviceRow::askRequested, this, [this, row] { ask(*row); });
    // Queued, because the handler deletes the row that emits the signal.
    connect(
        row,
        &DeviceRow::removeRequested,
        this,
        [this, device] { removeDevice(device); },
        Qt::QueuedConnection);
    ask(*row);
}

void DevicesWindow::ask(DeviceRow& row)
{
    row.showAsking();
    m_inquiry.ask(row.device());
}

void DevicesWindow::showAnswer(const Device& device, const DeviceAnswer& answer)
{
    for (DeviceRow* row : m_rows) {
        if (row->device() == device) {
            row->show(answer);
        }
    }
}

void DevicesWindow::addTyped()
{
    const Result<std::vector<std::string>> words = commandOf(m_command->text().toStdString());
    if (!words) {
        m_messages->show(MessageBar::Kind::error, QString::fromStdString(words.error().message));
        m_command->setFocus();
        return;
    }
    const Device device{m_name->text().trimmed().toStdString(), *words};
    if (!add(device)) {
        (validDeviceName(device.name) ? m_command : m_name)->setFocus();
        return;
    }
    m_name->clear();
    m_command->clear();
    m_name->setFocus();
}

bool DevicesWindow::add(const Device& device)
{
    Result<std::vector<Device>> listed = listedDevices();
    const bool added = keep(listed ? withDevice(std::move(*listed), device) : listed);
    if (added) {
        addRow(device, DeviceRow::Kind::listed);
    }
    return added;
}

void DevicesWindow::removeDevice(const Device& device)
{
    Result<std::vector<Device>> listed = listedDevices();
    if (!keep(listed ? withoutDevice(std::move(*listed), device.name) : listed)) {
        return;
    }
    const auto gone = std::find_if(
        m_rows.begin(), m_rows.end(), [&](DeviceRow* row) { return row->device() == device; });
    if (gone != m_rows.end()) {
        delete *gone;
        m_rows.erase(gone);
    }
}

// Saves the new list; on an error the sentence is shown and the list is as it was.
bool DevicesWindow::keep(const Result<std::vector<Device>>& listed)
{
    const Status status = listed ? saveDevices(*listed) : Status(listed.error());
    if (!status) {
        m_messages->show(MessageBar::Kind::error, QString::fromStdString(status.error().message));
        return false;
    }
    m_messages->clear();
    Q_EMIT devicesChanged();
    return true;
}

void DevicesWindow::updateIcons()
{
    m_messages->updateIcons();
}

void DevicesWindow::closeEvent(QCloseEvent* event)
{
    m_inquiry.cancel();
    event->accept();
}

void DevicesWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_messages->isVisible()) {
        m_messages->clear();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_devices_window.cpp"
