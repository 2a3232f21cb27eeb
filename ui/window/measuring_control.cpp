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
    connect(&m_rest, &QTimer::timeout, this, &MeasuringControl::rest);
    connect(&document, &Document::scenarioChanged, this, &MeasuringControl::readScenario);
    connectMeasuring();
    readScenario();
}

void MeasuringControl::useStore(const std::filesystem::path& file)
{
    m_store = file;
    m_measuring.useStore(file);
    m_measuring.lookForImports();
    restartRest();
}

void MeasuringControl::connectMeasuring()
{
    connect(&m_measuring, &Measuring::devicesImported, this, &MeasuringControl::takeImported);
    connect(&m_measuring, &Measuring::storeFailed, this, [this](const QString& sentence) {
        Q_EMIT unavailable(tr("%1; results are measured, but not kept.").arg(sentence));
    });
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
    if (isImported()) {
        Q_EMIT unavailable(tr("Results of %1 are shown as they were imported; nothing can be "
                              "measured there. Choose another device to measure.")
                               .arg(nameOf(m_device)));
        return;
    }
    m_measuring.forget(m_device);
    m_reachable = true;
    measure();
}

// The hand rests: what is missing is measured, or else shown as far as it is stored.
void MeasuringControl::rest()
{
    if (m_automatic && m_reachable && !isImported()) {
        measure();
    } else if (m_measuring.hasStore()) {
        m_measuring.recall(m_runTimes.parts, m_device);
    }
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
    if ((m_automatic && m_reachable) || m_measuring.hasStore()) {
        m_rest.start();
    } else {
        m_rest.stop();
    }
}

void MeasuringControl::fillDeviceMenu(ChoiceChip& chip)
{
    if (m_chip == nullptr) {
        connect(
            &chip.choices(), &QMenu::aboutToShow, this, [this] { m_measuring.lookForImports(); });
    }
    m_chip = &chip;
    fillDeviceMenu();
}

void MeasuringControl::fillDeviceMenu()
{
    QMenu& menu = m_chip->choices();
    menu.clear();
    delete menu.findChild<QActionGroup*>();
    auto* group = new QActionGroup(&menu);
    const auto add = [this, &menu, group](const Device& device) {
        QAction* action =
            menu.addAction(nameOf(device), this, [this, device] { chooseDevice(device); });
        action->setCheckable(true);
        action->setChecked(device == m_device);
        action->setActionGroup(group);
    };
    std::for_each(m_devices.begin(), m_devices.end(), add);
    if (!m_imported.empty()) {
        menu.addSeparator();
        std::for_each(m_imported.begin(), m_imported.end(), add);
    }
    menu.addSeparator();
    QAction* list = menu.addAction(tr("&Devices…"), this, &MeasuringControl::deviceListRequested);
    list->setObjectName(QStringLiteral("bar.device.list"));
    QAction* automatic = menu.addAction(tr("Measure when the hand rests"));
    automatic->setObjectName(QStringLiteral("bar.device.automatic"));
    automatic->setCheckable(true);
    automatic->setChecked(m_automatic);
    connect(automatic, &QAction::toggled, this, &MeasuringControl::setAutomatic);
    m_chip->setValue(nameOf(m_device));
}

void MeasuringControl::reloadDevices(ChoiceChip& chip)
{
    m_devices = knownDevices();
    const bool there =
        isImported() || std::find(m_devices.begin(), m_devices.end(), m_device) != m_devices.end();
    fillDeviceMenu(chip);
    if (!there) {
        chooseDevice(m_devices.front());
        fillDeviceMenu();
    }
}

void MeasuringControl::takeImported(const std::vector<Device>& devices)
{
    if (devices != m_imported) {
        m_imported = devices;
        if (m_chip != nullptr) {
            fillDeviceMenu();
        }
    }
}

void MeasuringControl::chooseDevice(const Device& device)
{
    if (device == m_device) {
        return;
    }
    cancel();
    m_device = device;
    m_described = nameOf(device);
    m_reachable = true;
    m_chip->setValue(nameOf(device));
    if (!isImported()) {
        storeDevice(nameOf(device));
    }
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
    const bool ofDevice = m_measuring.device() == m_device; // else it has not been asked yet
    const std::vector<MeasuredPart> plan =
        ofDevice ? m_measuring.plan() : std::vector<MeasuredPart>{};
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
    m_runTimes.peaks = ofDevice ? m_measuring.peaks() : std::nullopt;
    m_runTimes.roofs = ofDevice ? m_measuring.roofs() : std::nullopt;
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
