// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/measuring_control.h"

#include "core/protocol/device/device_list.h"
#include "ui/jobs/expected_time.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/widgets/chip.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr double kBudgetSeconds = 10.0; // for all parts; each settles much sooner if it can

// If the device file cannot be read, only the devices of this machine are listed.
std::vector<Device> knownDevices()
{
    const Result<std::vector<Device>> all = allDevices();
    return all ? *all : ownDevices();
}

// The device that measured last time, if it is still in the list.
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
    , m_comparedNames(storedComparedDevices())
    , m_build(ownDevices().front().command.front())
{
    m_idleTimer.setSingleShot(true);
    m_idleTimer.setInterval(kIdleMilliseconds);
    connect(&m_idleTimer, &QTimer::timeout, this, &MeasuringControl::measureWhenIdle);
    connect(&document, &Document::scenarioChanged, this, &MeasuringControl::readScenario);
    connectMeasuring();
    connectCompared();
    m_compared.setDevices(comparedDevices());
    readScenario();
}

void MeasuringControl::useStore(const std::filesystem::path& file)
{
    m_store = file;
    m_measuring.useStore(file);
    m_compared.useStore(file);
    m_measuring.lookForImports();
    restartIdleTimer();
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
    connect(&m_measuring, &Measuring::progressChanged, this, &MeasuringControl::reportProgress);
    connect(&m_measuring, &Measuring::failed, this, [this](const QString& sentence) {
        m_unavailable = sentence;
        Q_EMIT unavailable(sentence);
        m_build.watch();
    });
    connect(&m_build, &ProgramBuild::ended, this, [this] {
        Q_EMIT availableAgain(std::exchange(m_unavailable, {}));
        readTimes();
        restartIdleTimer();
    });
    connect(&m_measuring, &Measuring::finished, this, [this] {
        m_compared.machineIsFree();
        end();
    });
}

void MeasuringControl::end()
{
    readTimes();
    reportProgress();
    if (!isMeasuring()) {
        Q_EMIT finished();
    }
}

void MeasuringControl::toggle()
{
    if (isMeasuring()) {
        cancel();
        return;
    }
    if (isImported() && comparedDevices().empty()) {
        Q_EMIT unavailable(tr("Results of %1 are shown as they were imported; nothing can be "
                              "measured there. Choose another device to measure.")
                               .arg(nameOf(m_device)));
        return;
    }
    m_measuring.forget(m_device);
    m_compared.forget();
    m_unavailable.clear();
    if (!hasStoredAutoMeasure()) {
        chooseAutomatic(true); // after the first request measuring is automatic
    }
    measure();
}

// Measures the missing parts if that is automatic and short, or else shows what is stored.
void MeasuringControl::measureWhenIdle()
{
    if (m_automatic && (canAsk() || m_compared.hasReachable()) && isShort()) {
        measure();
    } else if (m_measuring.hasStore() && !isMeasuring()) {
        m_measuring.recall(m_runTimes.parts, m_device);
        m_compared.recall(m_runTimes.parts);
    }
}

// Measuring that takes minutes does not start by itself.
bool MeasuringControl::isShort()
{
    const auto& peaks = m_runTimes.peaks;
    const double seconds =
        expectedSeconds(m_runTimes.parts,
                        m_runTimes.times,
                        peaks ? std::optional(peaks->flopsPerSecond) : std::nullopt);
    m_tooLong = seconds <= kAutomaticSeconds
        ? QString()
        : tr("measuring would take about %1: press Measure").arg(roughTimeText(seconds));
    reportProgress();
    return m_tooLong.isEmpty();
}

void MeasuringControl::measure()
{
    m_idleTimer.stop();
    m_tooLong.clear();
    m_compared.start(m_runTimes.parts, kBudgetSeconds, canAsk() && isOwnDevice(m_device.name));
    if (canAsk()) {
        m_measuring.start(m_runTimes.parts, m_device, kBudgetSeconds);
    } else if (m_measuring.hasStore()) {
        m_measuring.recall(m_runTimes.parts, m_device);
    }
    reportProgress();
}

void MeasuringControl::measurePeaks()
{
    cancel();
    if (!canAsk()) {
        Q_EMIT unavailable(
            tr("Peaks of %1 cannot be measured: it cannot be asked.").arg(nameOf(m_device)));
        return;
    }
    if (m_measuring.device() != m_device) {
        m_measuring.recall(m_runTimes.parts, m_device);
    }
    m_measuring.measurePeaks(kBudgetSeconds);
    reportProgress();
}

void MeasuringControl::cancel()
{
    m_idleTimer.stop();
    m_compared.cancel(); // first, so that no compared device starts when m_measuring finishes
    m_measuring.cancel();
}

void MeasuringControl::setAutomatic(bool on)
{
    m_automatic = on;
    restartIdleTimer();
}

void MeasuringControl::chooseAutomatic(bool on)
{
    storeAutoMeasure(on);
    setAutomatic(on);
}

void MeasuringControl::restartIdleTimer()
{
    const bool measures = m_automatic && (canAsk() || m_compared.hasReachable());
    if (measures || m_measuring.hasStore()) {
        m_idleTimer.start();
    } else {
        m_idleTimer.stop();
    }
}

void MeasuringControl::fillDeviceMenu(ChoiceChip& chip)
{
    if (m_chip == nullptr) {
        connect(&chip.choices(), &QMenu::aboutToShow, this, [this] {
            reloadDevices(*m_chip); // the command line may have changed the list
            m_measuring.lookForImports();
        });
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
            menu.addAction(nameOf(device).replace(QLatin1Char('&'), QLatin1String("&&")),
                           this,
                           [this, device] { chooseDevice(device); });
        action->setCheckable(true);
        action->setChecked(device == m_device);
        action->setActionGroup(group);
    };
    std::for_each(m_devices.begin(), m_devices.end(), add);
    if (!m_imported.empty()) {
        menu.addSeparator();
        std::for_each(m_imported.begin(), m_imported.end(), add);
    }
    addComparisons(menu);
    menu.addSeparator();
    QAction* list = menu.addAction(tr("&Devices…"), this, &MeasuringControl::deviceListRequested);
    list->setObjectName(QStringLiteral("bar.device.list"));
    QAction* peaks =
        menu.addAction(tr("Measure &peaks again"), this, &MeasuringControl::measurePeaks);
    peaks->setObjectName(QStringLiteral("bar.device.peaks"));
    peaks->setToolTip(
        tr("The highest rates of this device, on which lower bounds stand. Close other "
           "programs first."));
    peaks->setEnabled(!isImported());
    QAction* automatic = menu.addAction(tr("Measure when the hand rests"));
    automatic->setObjectName(QStringLiteral("bar.device.automatic"));
    automatic->setCheckable(true);
    automatic->setChecked(m_automatic);
    connect(automatic, &QAction::toggled, this, &MeasuringControl::chooseAutomatic);
    showChoice();
}

void MeasuringControl::reloadDevices(ChoiceChip& chip)
{
    m_devices = knownDevices();
    const bool there =
        isImported() || std::find(m_devices.begin(), m_devices.end(), m_device) != m_devices.end();
    m_compared.setDevices(comparedDevices());
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
    m_unavailable.clear();
    m_compared.setDevices(comparedDevices());
    showChoice();
    if (!isImported()) {
        storeDevice(nameOf(device));
    }
    Q_EMIT deviceChanged();
    readScenario();
    // Queued: rebuilding the menu deletes the action that was just triggered.
    QMetaObject::invokeMethod(
        this, [this] { fillDeviceMenu(); }, Qt::QueuedConnection);
}

// Drops the times of another scenario, except those of the same operations.
void MeasuringControl::readScenario()
{
    m_runTimes.parts = measuredParts(m_document.scenario());
    m_runTimes.device = nameOf(m_device);
    m_tooLong.clear();
    if (isMeasuring()) {
        m_compared.cancel();
        m_measuring.cancel();
    }
    readTimes();
    restartIdleTimer();
}

void MeasuringControl::readTimes()
{
    const bool ofDevice = m_measuring.device() == m_device; // else it has not been asked yet
    m_runTimes.times = ofDevice ? timesOf(m_measuring, m_runTimes.parts)
                                : std::vector<PartTime>(m_runTimes.parts.size());
    m_runTimes.unavailable = m_unavailable;
    m_runTimes.compared = m_compared.times(m_runTimes.parts);
    m_runTimes.peaks = ofDevice ? m_measuring.peaks() : std::nullopt;
    m_runTimes.roofs = ofDevice ? m_measuring.roofs() : std::nullopt;
    if (ofDevice && !m_measuring.plan().empty()) {
        m_described = m_measuring.deviceText();
    }
    m_runTimes.processor = m_described;
    Q_EMIT timesChanged();
}

QString MeasuringControl::deviceWarning() const
{
    const bool ofDevice = m_measuring.device() == m_device && !m_measuring.plan().empty();
    return ofDevice ? m_measuring.warning() : QString();
}

void MeasuringControl::reportProgress()
{
    if (!isMeasuring()) {
        Q_EMIT progressed(0, 0, m_tooLong);
        return;
    }
    if (m_measuring.isMeasuringPeaks()) {
        Q_EMIT progressed(0, 1, tr("measuring peaks of %1").arg(nameOf(m_device)));
        return;
    }
    const int total =
        m_compared.partsInAll() + (canAsk() ? static_cast<int>(m_measuring.plan().size()) : 0);
    const int done = m_compared.partsDone() + (canAsk() ? m_measuring.partsDone() : 0);
    QString text = tr("measuring %1 of %2").arg(std::min(done + 1, total)).arg(total);
    if (const int silent = m_measuring.silentSeconds(); silent > 0) {
        text += tr(", no answer for %1 s").arg(silent);
    }
    Q_EMIT progressed(done, total, text);
}

} // namespace flopsmith::ui

#include "moc_measuring_control.cpp"
