// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/measuring_control.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/menu_heading.h"

#include <QMenu>

// The devices that are compared with the measuring one.
namespace flopsmith::ui {

// A failure on a compared device is shown in place of its bars and affects nothing else.
void MeasuringControl::connectCompared()
{
    connect(&m_compared, &ComparedDevices::timesChanged, this, [this] {
        readTimes();
        reportProgress();
    });
    connect(&m_compared, &ComparedDevices::finished, this, &MeasuringControl::end);
}

void MeasuringControl::addComparisons(QMenu& menu)
{
    if (m_devices.size() < 2) {
        return;
    }
    addHeading(menu, tr("Compare with"));
    for (const Device& device : m_devices) {
        if (device == m_device) {
            continue;
        }
        QAction* action =
            menu.addAction(nameOf(device).replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setObjectName(QStringLiteral("bar.device.compare.") + nameOf(device));
        action->setCheckable(true);
        action->setChecked(m_comparedNames.contains(nameOf(device)));
        connect(
            action, &QAction::toggled, this, [this, device](bool on) { compareWith(device, on); });
    }
}

void MeasuringControl::compareWith(const Device& device, bool on)
{
    m_comparedNames.removeAll(nameOf(device));
    if (on) {
        m_comparedNames << nameOf(device);
    }
    storeComparedDevices(m_comparedNames);
    const bool wasMeasuring = isMeasuring();
    m_compared.setDevices(comparedDevices());
    showChoice();
    if (on && wasMeasuring) {
        measure();
    } else if (on) {
        restartIdleTimer();
    }
}

std::vector<Device> MeasuringControl::comparedDevices() const
{
    std::vector<Device> compared;
    for (const Device& device : m_devices) {
        if (device != m_device && m_comparedNames.contains(nameOf(device))) {
            compared.push_back(device);
        }
    }
    return compared;
}

// "this CPU + 2", because the chip is narrow.
void MeasuringControl::showChoice() const
{
    const std::size_t others = comparedDevices().size();
    m_chip->setValue(others == 0 ? nameOf(m_device)
                                 : tr("%1 + %2").arg(nameOf(m_device)).arg(others));
}

} // namespace flopsmith::ui
