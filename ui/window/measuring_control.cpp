// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/measuring_control.h"

#include "ui/window/chip.h"
#include "ui/window/window_settings.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kBudgetSeconds = 10.0; // for all parts; each settles much sooner if it can

QString nameOf(const Device& device)
{
    return QString::fromStdString(device.name);
}

// A device file that cannot be read leaves the devices of this machine.
std::vector<Device> knownDevices()
{
    const Result<std::vector<Device>> all = allDevices();
    return all ? *all : ownDevices();
}

// The one that measured last time, if it is still there.
const Device& startDevice(const std::vector<Device>& devices)
{
    const QString name = storedDevice();
    const auto same = std::find_if(devices.begin(), devices.end(), [&name](const Device& device) {
        return nameOf(device) == name;
    });
    return same == devices.end() ? devices.front() : *same;
}

} // namespace

MeasuringControl::MeasuringControl(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_devices(knownDevices())
    , m_device(startDevice(m_devices))
    , m_described(nameOf(m_device))
    , m_automatic(storedAutoMeasure())
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, &MeasuringControl::measure);
    connect(&document, &Document::scenarioChanged, this, &MeasuringControl::readScenario);
    connectMeasuring();
    readScenario();
}

void MeasuringControl::connectMeasuring()
{
    connect(&m_measuring, &Measuring::planChanged, this, &MeasuringControl::readTimes);
    connect(&m_measuring, &Measuring::partChanged, this, &MeasuringControl::readTimes);
    connect(&m_measuring, &Measuring::peaksChanged, this, &MeasuringControl::readTimes);
    connect(&m_measuring, &Measuring::deviceTextChanged, this, &MeasuringControl::readTimes);
    connect(&m_measuring, &Measuring::progressChanged, this, &MeasuringControl::tellProgress);
    connect(&m_measuring, &Measuring::failed, this, [this](const QString& sentence) {
        m_reachable = false;
        Q_EMIT unavailable(sentence);
    });
    connect(&m_measuring, &Measuring::finished, this, [this] {
        readTimes();
        tellProgress();
        Q_EMIT finished();
    });
}

void MeasuringControl::toggle()
{
    if (m_measuring.isRunning()) {
        cancel();
        return;
    }
    m_measuring.forget(m_device);
    m_reachable = true;
    measure();
}

void MeasuringControl::measure()
{
    m_rest.stop();
    m_measuring.start(m_runTimes.parts, m_device, kBudgetSeconds);
    tellProgress();
}

void MeasuringControl::cancel()
{
    m_rest.stop();
    m_measuring.cancel();
}

void MeasuringControl::setAutomatic(bool on)
{
    m_automatic = on;
    storeAutoMeasure(on);
    restartRest();
}

void MeasuringControl::restartRest()
{
    if (m_automatic && m_reachable) {
        m_rest.start();
    } else {
        m_rest.stop();
    }
}

void MeasuringControl::fillDeviceMenu(ChoiceChip& chip)
{
    QMenu& menu = chip.choices();
    menu.clear();
    auto* group = new QActionGroup(&menu);
    for (const Device& device : m_devices) {
        QAction* action = menu.addAction(
            nameOf(device), this, [this, &chip, device] { chooseDevice(chip, device); });
        action->setCheckable(true);
        action->setChecked(device == m_device);
        action->setActionGroup(group);
    }
    menu.addSeparator();
    QAction* list = menu.addAction(tr("&Devices…"), this, &MeasuringControl::deviceListRequested);
    list->setObjectName(QStringLiteral("bar.device.list"));
    QAction* automatic = menu.addAction(tr("Measure when the hand rests"));
    automatic->setObjectName(QStringLiteral("bar.device.automatic"));
    automatic->setCheckable(true);
    automatic->setChecked(m_automatic);
    connect(automatic, &QAction::toggled, this, &MeasuringControl::setAutomatic);
    chip.setValue(nameOf(m_device));
}

void MeasuringControl::reloadDevices(ChoiceChip& chip)
{
    m_devices = knownDevices();
    if (std::find(m_devices.begin(), m_devices.end(), m_device) == m_devices.end()) {
        chooseDevice(chip, m_devices.front());
    }
    fillDeviceMenu(chip);
}

void MeasuringControl::chooseDevice(ChoiceChip& chip, const Device& device)
{
    if (device == m_device) {
        return;
    }
    cancel();
    m_device = device;
    m_described = nameOf(device);
    m_reachable = true;
    chip.setValue(nameOf(device));
    storeDevice(nameOf(device));
    Q_EMIT deviceChanged();
    readScenario();
}

// Times of another scenario are not wanted any more, unless they are of the same operations.
void MeasuringControl::readScenario()
{
    m_runTimes.parts = measuredParts(m_document.scenario());
    m_runTimes.device = nameOf(m_device);
    if (m_measuring.isRunning()) {
        m_measuring.cancel();
    }
    readTimes();
    restartRest();
}

void MeasuringControl::readTimes()
{
    m_runTimes.times.assign(m_runTimes.parts.size(), {});
    const auto& plan = m_measuring.plan();
    for (std::size_t i = 0; i < m_runTimes.parts.size(); ++i) {
        const Operation& wanted = m_runTimes.parts[i].operation;
        const auto same = std::find_if(plan.begin(), plan.end(), [&wanted](const MeasuredPart& p) {
            return p.operation == wanted;
        });
        if (same != plan.end()) {
            m_runTimes.times[i] =
                m_measuring.times()[static_cast<std::size_t>(same - plan.begin())];
        }
    }
    m_runTimes.peaks = m_measuring.peaks();
    if (!plan.empty()) {
        m_described = m_measuring.deviceText();
    }
    Q_EMIT timesChanged();
}

void MeasuringControl::tellProgress()
{
    if (!m_measuring.isRunning()) {
        Q_EMIT progressed(0, 0, {});
        return;
    }
    const int total = static_cast<int>(m_measuring.plan().size());
    const int done = m_measuring.partsDone();
    Q_EMIT progressed(
        done, total, tr("measuring %1 of %2").arg(std::min(done + 1, total)).arg(total));
}

} // namespace flopsmith::ui
