// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels/palette_rail.h"

#include "ui/canvas/palette/palette.h"
#include "ui/widgets/panel.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kHoverMilliseconds = 180; ///< a pointer that passes unfolds nothing
constexpr int kWatchMilliseconds = 250;
constexpr int kUnfoldedWidth = 202;

} // namespace

PaletteRail::PaletteRail(Panel& panel, Palette& palette, QWidget& place, QWidget& over)
    : QObject(&over)
    , m_panel(panel)
    , m_palette(palette)
    , m_place(place)
    , m_over(over)
    , m_pin(new QToolButton(&panel))
{
    m_pin->setObjectName(QStringLiteral("palette.pin"));
    m_pin->setFocusPolicy(Qt::StrongFocus);
    m_pin->setAutoRaise(true);
    panel.addToHead(m_pin);
    connect(m_pin, &QToolButton::clicked, this, [this] { setPinned(!m_isPinned); });
    m_hover.setSingleShot(true);
    m_hover.setInterval(kHoverMilliseconds);
    connect(&m_hover, &QTimer::timeout, this, [this] { open(true); });
    m_watch.setInterval(kWatchMilliseconds);
    connect(&m_watch, &QTimer::timeout, this, &PaletteRail::foldIfLeft);
    for (QWidget* each = &place; each != nullptr && each != &over; each = each->parentWidget()) {
        each->installEventFilter(this); // the panel follows its place
    }
    panel.installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (now != nullptr && now != m_pin && m_panel.isAncestorOf(now)) {
            open(true);
        }
    });
    show();
}

void PaletteRail::setPinned(bool pinned)
{
    if (pinned == m_isPinned) {
        return;
    }
    m_isPinned = pinned;
    m_isOpen = false;
    show();
    fitPlace();
}

void PaletteRail::open(bool open)
{
    if (m_isPinned || open == m_isOpen) {
        return;
    }
    m_isOpen = open;
    show();
}

void PaletteRail::foldIfLeft()
{
    const QWidget* focus = QApplication::focusWidget();
    const bool isHere = m_panel.underMouse() || m_panel.isAncestorOf(focus)
        || QApplication::activePopupWidget() != nullptr
        || QApplication::mouseButtons() != Qt::NoButton;
    if (!isHere) {
        open(false);
    }
}

void PaletteRail::show()
{
    const bool unfolded = isUnfolded();
    m_palette.setFolded(!unfolded);
    m_panel.setTitle(unfolded ? tr("Palette") : QString());
    m_pin->setText(m_isPinned ? QStringLiteral("\u00AB") : QStringLiteral("\u00BB"));
    m_pin->setAccessibleName(m_isPinned ? tr("Fold the palette") : tr("Keep the palette unfolded"));
    m_pin->setToolTip(m_pin->accessibleName());
    if (m_isPinned) {
        m_place.setMinimumWidth(leastWidth());
    }
    if (m_isOpen && !m_isPinned) {
        m_watch.start();
    } else {
        m_watch.stop();
    }
    follow();
}

int PaletteRail::leastWidth() const
{
    const QMargins around = m_panel.layout()->contentsMargins();
    return m_palette.minimumWidth() + around.left() + around.right() + 2 * m_panel.frameWidth();
}

// What the place gets or gives is the stack's, which stands beside it.
void PaletteRail::fitPlace()
{
    const int least = leastWidth();
    m_place.setMinimumWidth(least);
    m_place.setMaximumWidth(m_isPinned ? QWIDGETSIZE_MAX : least);
    auto& row = *qobject_cast<QSplitter*>(m_place.parentWidget());
    const int index = row.indexOf(&m_place);
    const int wanted = m_isPinned ? std::max(least, kUnfoldedWidth) : least;
    QList<int> sizes = row.sizes();
    sizes[index + 1] += sizes[index] - wanted;
    sizes[index] = wanted;
    row.setSizes(sizes);
}

void PaletteRail::follow()
{
    QRect place(m_place.mapTo(&m_over, QPoint(0, 0)), m_place.size());
    if (m_isOpen && !m_isPinned) {
        const int width = std::max(kUnfoldedWidth, leastWidth());
        if (m_over.layoutDirection() == Qt::RightToLeft) {
            place.setLeft(place.right() + 1 - width);
        } else {
            place.setWidth(width);
        }
    }
    m_panel.setGeometry(place & m_over.rect()); // a splitter from right to left is a pixel off
    m_panel.setVisible(m_place.isVisibleTo(&m_over));
    m_panel.raise();
}

bool PaletteRail::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Enter:
        if (watched == &m_panel) {
            m_hover.start();
        }
        break;
    case QEvent::Leave:
        if (watched == &m_panel) {
            m_hover.stop();
        }
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
        if (watched != &m_panel) {
            follow();
        }
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace flopsmith::ui

#include "moc_palette_rail.cpp"
