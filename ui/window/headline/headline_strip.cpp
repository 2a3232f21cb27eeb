// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/headline/headline_strip.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/panel_splitter.h"
#include "ui/window/headline/headline_tile.h"

#include <QEvent>
#include <QHBoxLayout>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

// What stays longest first: its ends.
constexpr std::array kKept{HeadlineKind::cost,
                           HeadlineKind::measuredTime,
                           HeadlineKind::parameters,
                           HeadlineKind::leastTime,
                           HeadlineKind::memory};
constexpr std::size_t kFewest = 2;

} // namespace

HeadlineStrip::HeadlineStrip(QWidget* parent)
    : QWidget(parent)
    , m_line(new QHBoxLayout(this))
    , m_hardware(new ChoiceChip(QStringLiteral("roofs"),
                                QString(),
                                tr("Device that bounds the time"),
                                this))
    , m_device(
          new ChoiceChip(QStringLiteral("device"), QString(), tr("Device that measures"), this))
    , m_measure(new MeasureButton(this))
{
    setObjectName(QStringLiteral("headline"));
    setAccessibleName(tr("What the design costs"));
    m_line->setContentsMargins(kPanelGap, kPanelGap, kPanelGap, 0);
    m_line->setSpacing(kPanelGap);
    add(HeadlineKind::cost, tr("Cost"), 4);
    add(HeadlineKind::parameters, tr("Parameters"), 4);
    add(HeadlineKind::memory, tr("Memory"), 4);
    m_hardware->setCharacters(8, 22);
    add(HeadlineKind::leastTime, tr("Least possible time"), 5).setChooser(*m_hardware);
    m_device->setCharacters(6, 16);
    m_measure->setObjectName(QStringLiteral("bar.measure"));
    m_measure->setAccessibleName(tr("Measure run times"));
    HeadlineTile& measured = add(HeadlineKind::measuredTime, tr("Measured time"), 6);
    measured.setChooser(*m_device);
    measured.setButton(*m_measure);
    setDeviceWarning({});
    m_running = true;
    showMeasuring(false);
}

HeadlineTile& HeadlineStrip::add(HeadlineKind kind, const QString& accessibleName, int stretch)
{
    auto* tile = new HeadlineTile(kind, accessibleName, this);
    m_tiles.push_back(tile);
    m_line->addWidget(tile, stretch);
    connect(tile, &HeadlineTile::clicked, this, [this, kind] { Q_EMIT whyRequested(kind); });
    return *tile;
}

void HeadlineStrip::setFigures(const std::vector<HeadlineFigure>& figures, const QString& baseline)
{
    for (const HeadlineFigure& figure : figures) {
        tile(figure.kind).setFigure(figure, baseline);
    }
}

void HeadlineStrip::showMeasuring(bool running)
{
    if (running == m_running) {
        return;
    }
    m_running = running;
    m_measure->showRunning(running);
    m_measure->setToolTip(running ? tr("Stop measuring; what is measured stays")
                                  : tr("Measure how long every part of the model takes on the "
                                       "device"));
}

void HeadlineStrip::setDeviceWarning(const QString& warning)
{
    const QString what = tr("The device that measures, and those it is compared with");
    m_device->setToolTip(warning.isEmpty() ? what : warning);
}

// The least width of the tiles that stay longest.
int HeadlineStrip::widthOf(std::size_t tiles) const
{
    const QMargins margins = m_line->contentsMargins();
    int width = margins.left() + margins.right() + static_cast<int>(tiles - 1) * m_line->spacing();
    for (std::size_t i = 0; i < tiles; ++i) {
        width += m_tiles.at(static_cast<std::size_t>(kKept[i]))->minimumSizeHint().width();
    }
    return width;
}

QSize HeadlineStrip::minimumSizeHint() const
{
    const QMargins margins = m_line->contentsMargins();
    return {widthOf(kFewest),
            m_tiles.front()->minimumSizeHint().height() + margins.top() + margins.bottom()};
}

void HeadlineStrip::fit()
{
    std::size_t tiles = kKept.size();
    while (tiles > kFewest && widthOf(tiles) > width()) {
        --tiles;
    }
    for (std::size_t i = 0; i < kKept.size(); ++i) {
        HeadlineTile& each = tile(kKept[i]);
        if (each.isHidden() == (i < tiles)) {
            each.setVisible(i < tiles);
        }
    }
}

bool HeadlineStrip::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return done;
}

} // namespace flopsmith::ui

#include "moc_headline_strip.cpp"
