// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/gap_plus.h"

#include "ui/canvas/drag/landing_rows.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace flopsmith::ui {
namespace {

constexpr int kCircle = 18;
constexpr int kLine = 2;
constexpr double kReach = 4.0; ///< pixels of a row's edge that belong to the gap beside it

QRect circleIn(const QRect& whole)
{
    return {whole.center().x() - kCircle / 2, whole.top(), kCircle, kCircle};
}

QRect lineIn(const QRect& whole)
{
    return {whole.left(), whole.top() + (kCircle - kLine) / 2, whole.width(), kLine};
}

} // namespace

GapPlus::GapPlus(const Document& document, StackSurface& surface)
    : QAbstractButton(surface.viewport())
    , m_document(document)
    , m_surface(surface)
{
    setObjectName(QStringLiteral("stack.plus"));
    setAccessibleName(tr("Insert a block here"));
    setFocusPolicy(Qt::NoFocus);
    setCursor(Qt::PointingHandCursor);
    hide();
    surface.viewport()->setMouseTracking(true);
    surface.viewport()->installEventFilter(this);
    connect(this, &GapPlus::clicked, this, [this] {
        if (const std::optional<int> gap = m_gap) {
            standAt(std::nullopt);
            Q_EMIT insertionRequested(*gap);
        }
    });
    connect(&document, &Document::scenarioChanged, this, [this] { standAt(std::nullopt); });
}

bool GapPlus::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove: {
        const auto& move = static_cast<const QMouseEvent&>(*event);
        if (move.buttons() == Qt::NoButton) {
            follow(move.pos());
        }
        break;
    }
    case QEvent::Leave:
        if (!underMouse()) { // the pointer may have gone to the "+" itself
            standAt(std::nullopt);
        }
        break;
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
    case QEvent::Resize:
    case QEvent::DragEnter: standAt(std::nullopt); break;
    default: break;
    }
    return QAbstractButton::eventFilter(watched, event);
}

void GapPlus::follow(const QPoint& place)
{
    m_surface.refresh();
    const QPointF point = m_surface.mapToScene(place);
    const std::vector<LandingRow> rows = landingRows(m_surface.stackLayout(), m_document.model());
    const bool isBesideRows = rows.empty()
        || point.x() < m_surface.geometryOfStack().rows.front().frame.left()
        || point.x() > m_surface.geometryOfStack().rows.front().frame.right();
    standAt(isBesideRows ? std::nullopt
                         : gapBetweenRows(rows, point.y(), kReach / m_surface.transform().m22()));
}

// Only line and circle take the pointer from the rows.
void GapPlus::standAt(std::optional<int> gap)
{
    if (!m_surface.isEnabled()) {
        gap.reset();
    }
    m_gap = gap;
    setVisible(gap.has_value());
    if (!gap) {
        return;
    }
    const QRectF frame = m_surface.geometryOfStack().rows.front().frame;
    const double y =
        landingLine(landingRows(m_surface.stackLayout(), m_document.model()), *gap, true);
    const QPoint left = m_surface.mapFromScene(QPointF(frame.left(), y));
    const QPoint right = m_surface.mapFromScene(QPointF(frame.right(), y));
    setGeometry(left.x(), left.y() - kCircle / 2, right.x() - left.x(), kCircle);
    setMask(QRegion(circleIn(rect()).adjusted(-1, -1, 1, 1), QRegion::Ellipse) | lineIn(rect()));
    raise();
}

void GapPlus::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(lineIn(rect()), theme.accent);
    const QRectF circle = circleIn(rect());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(circle);
    constexpr double kArm = 4.0;
    painter.setPen(QPen(theme.onAccent, 2.0, Qt::SolidLine, Qt::RoundCap));
    const QPointF middle = circle.center();
    painter.drawLine(middle - QPointF(kArm, 0.0), middle + QPointF(kArm, 0.0));
    painter.drawLine(middle - QPointF(0.0, kArm), middle + QPointF(0.0, kArm));
}

} // namespace flopsmith::ui

#include "moc_gap_plus.cpp"
