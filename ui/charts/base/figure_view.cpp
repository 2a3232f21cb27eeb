// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure_view.h"

#include "core/base/text.h"
#include "ui/charts/base/figure_accessible.h"
#include "ui/theme/opaque.h"

#include <QAccessible>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
FigureView::FigureView(const QString& name, QWidget* parent)
    : QWidget(parent)
{
    installFigureAccessibility();
    setObjectName(name.toLower().remove(QLatin1Char(' ')) + QStringLiteral("View"));
    setAccessibleName(name);
    setLayoutDirection(Qt::LeftToRight); // axes and figures are not mirrored
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    paintOpaque(*this);
}

void FigureView::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_dirty = true;
    update();
}

void FigureView::setHatching(bool on)
{
    m_hatching = on;
    m_dirty = true;
    update();
}

void FigureView::setScale(const DisplayScale& scale)
{
    m_scale = scale;
    setFont(scale.points > 0.0 ? uiFont(scale.points) : QFont());
    m_dirty = true;
    update();
}

void FigureView::setSource(Source source)
{
    m_source = std::move(source);
    update(); // many calls in one frame give one painting, none while hidden
}

void FigureView::setFigure(std::unique_ptr<Figure> figure)
{
    m_source = nullptr;
    if (figure && m_figure) {
        figure->reuse(*m_figure);
    }
    m_figure = std::move(figure);
    m_dirty = true;
    update();
    const bool isEmpty = m_figure != nullptr && !m_figure->emptyText().isEmpty();
    if (std::exchange(m_isEmpty, isEmpty) != isEmpty) {
        Q_EMIT emptinessChanged();
    }
}

const Figure* FigureView::figure()
{
    refresh();
    return m_figure.get();
}

int FigureView::hotspotAt(QPointF place)
{
    const Figure* present = figure();
    return present == nullptr ? -1 : present->hotspotAt(place, content(), chartStyle());
}

std::optional<Hotspot> FigureView::hotspot(int index)
{
    const Figure* present = figure();
    const std::vector<Hotspot> hotspots =
        present == nullptr ? std::vector<Hotspot>() : present->hotspots(content(), chartStyle());
    const bool exists = index >= 0 && index < static_cast<int>(hotspots.size());
    return exists ? std::optional(hotspots[static_cast<std::size_t>(index)]) : std::nullopt;
}

std::optional<Label> FigureView::tickAt(QPointF place)
{
    const Figure* present = figure();
    return present == nullptr ? std::nullopt : present->tickAt(place, content(), chartStyle());
}

QPointF FigureView::anchorOf(int index)
{
    const std::optional<Hotspot> found = hotspot(index);
    return found ? found->anchor : content().center();
}

void FigureView::setCurrentHotspot(int hotspot)
{
    if (hotspot == m_hotspot) {
        return;
    }
    m_hotspot = hotspot;
    update();
    if (m_figure && m_hotspot >= 0) {
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
}

void FigureView::setMark(ChartMark mark)
{
    if (mark == m_mark) {
        return;
    }
    m_mark = std::move(mark);
    update();
    if (m_figure) {
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
}

std::vector<ChartPlace> FigureView::marked()
{
    std::vector<ChartPlace> found;
    const Figure* present = m_mark.isEmpty() ? nullptr : figure();
    if (present == nullptr) {
        return found;
    }
    const std::vector<ChartPlace> places = present->places(content(), chartStyle());
    const std::vector<bool> marked = markedPlaces(places, m_mark);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (marked[i]) {
            found.push_back(places[i]);
        }
    }
    return found;
}

void FigureView::choose(const ChartPlace& place)
{
    Q_EMIT chosen(place.paths.empty() ? QString() : QString::fromStdString(place.paths.front()),
                  place.component == nullptr ? QString() : toQt(place.component->id));
}

// The place of the hotspot under the cursor, if it represents a single operation or part.
ChartPlace FigureView::placeOfHotspot()
{
    const Figure* present = figure();
    std::vector<ChartPlace> places;
    if (present != nullptr && m_hotspot >= 0) {
        places = present->places(content(), chartStyle());
        std::erase_if(places,
                      [this](const ChartPlace& place) { return place.hotspot != m_hotspot; });
    }
    return places.size() == 1 ? places.front() : ChartPlace();
}

QString FigureView::accessibleText()
{
    const ThreeDigits digits(m_scale.threeDigits);
    const Figure* present = figure();
    return present == nullptr ? QString()
                              : spoken(*present,
                                       present->hotspots(content(), chartStyle()),
                                       present->places(content(), chartStyle()),
                                       m_hotspot,
                                       m_mark);
}

// A low view keeps the usual type, for which there is space, instead of cutting larger texts.
ChartStyle FigureView::chartStyle() const
{
    constexpr int kUsualType = 13; // pixels
    constexpr double kLinesOfView = 16.0; // of a card in a window of 720 lines
    const int maxType = std::max(kUsualType, static_cast<int>(content().height() / kLinesOfView));
    return {.theme = m_theme,
            .textPixels = std::clamp(QFontInfo(font()).pixelSize(), 8, maxType),
            .hatching = m_hatching,
            .scale = m_scale};
}

QRectF FigureView::content() const
{
    return QRectF(rect()).adjusted(4.0, 4.0, -4.0, -4.0);
}

void FigureView::refresh()
{
    if (m_source) {
        const ThreeDigits digits(m_scale.threeDigits); // of texts that are part of the figure
        if (auto figure = std::exchange(m_source, nullptr)()) {
            setFigure(std::move(figure));
        }
    }
}

void FigureView::paintToCache()
{
    const double ratio = devicePixelRatioF();
    const QSize pixels = size() * ratio;
    refresh();
    if (!m_dirty && m_cache.size() == pixels) {
        return;
    }
    m_cache = QPixmap(pixels);
    m_cache.setDevicePixelRatio(ratio);
    m_cache.fill(m_theme.panel);
    QPainter painter(&m_cache);
    if (m_figure) {
        m_figure->paint(painter, content(), chartStyle());
    } else {
        paintSentence(painter, content(), tr("There is no model to show."), chartStyle());
    }
    m_dirty = false;
}

void FigureView::paintMark(QPainter& painter)
{
    const std::vector<ChartPlace> places = m_figure->places(content(), chartStyle());
    const Drawing drawing = markDrawing(places, markedPlaces(places, m_mark), chartStyle());
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.paint(painter, chartStyle());
}

void FigureView::paintEvent(QPaintEvent* /*event*/)
{
    const ThreeDigits digits(m_scale.threeDigits);
    paintToCache();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_cache);
    if (m_figure && !m_mark.isEmpty()) {
        paintMark(painter);
    }
    if (m_figure && m_hotspot >= 0 && m_figure->emptyText().isEmpty()) {
        paintHotspot(painter);
    }
    if (m_hasRing) {
        paintFocus(painter);
    }
}

void FigureView::paintFocus(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0), 4.0, 4.0);
}

void FigureView::paintHotspot(QPainter& painter)
{
    const std::vector<Hotspot> hotspots = m_figure->hotspots(content(), chartStyle());
    if (m_hotspot < static_cast<int>(hotspots.size())) {
        painter.setRenderHint(QPainter::Antialiasing);
        m_figure->paintHighlight(painter, m_hotspot, content(), chartStyle());
        paintCard(painter, content(), hotspots[static_cast<std::size_t>(m_hotspot)], chartStyle());
    }
}

void FigureView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_dirty = true;
        update();
    }
    QWidget::changeEvent(event);
}

void FigureView::mouseMoveEvent(QMouseEvent* event)
{
    const Figure* present = figure();
    const bool empty = present == nullptr || !present->emptyText().isEmpty();
    setCurrentHotspot(empty ? -1 : present->hotspotAt(event->position(), content(), chartStyle()));
}

void FigureView::mousePressEvent(QMouseEvent* event)
{
    m_isPressed = event->button() == Qt::LeftButton;
    const Figure* present = figure();
    std::vector<ChartPlace> places;
    if (event->button() == Qt::LeftButton && present != nullptr) {
        places = present->places(content(), chartStyle());
    }
    if (places.empty() || tickAt(event->position())) {
        return QWidget::mousePressEvent(event);
    }
    const ChartPlace* hit = placeAt(event->position(), places);
    choose(hit == nullptr ? ChartPlace() : *hit);
}

void FigureView::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept(); // belongs to the press
    if (!std::exchange(m_isPressed, false) || !rect().contains(event->position().toPoint())) {
        return;
    }
    if (const std::optional<Label> tick = tickAt(event->position())) {
        Q_EMIT tickRequested(*tick);
        return;
    }
    const int hotspot = hotspotAt(event->position());
    if (hotspot < 0) {
        return;
    }
    const std::vector<ChartPlace> places = m_figure->places(content(), chartStyle());
    const ChartPlace* hit = placeAt(event->position(), places);
    Q_EMIT whyRequested(hotspot, hit == nullptr ? ChartPlace() : *hit, event->position().toPoint());
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept(); // the first click has chosen, and asked why
}

void FigureView::leaveEvent(QEvent* event)
{
    setCurrentHotspot(-1);
    QWidget::leaveEvent(event);
}

void FigureView::focusInEvent(QFocusEvent* event)
{
    const Qt::FocusReason reason = event->reason();
    m_hasRing = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
        || reason == Qt::ShortcutFocusReason;
    update();
    QWidget::focusInEvent(event);
}

void FigureView::focusOutEvent(QFocusEvent* event)
{
    m_hasRing = false;
    update();
    setCurrentHotspot(-1);
    QWidget::focusOutEvent(event);
}

void FigureView::keyPressEvent(QKeyEvent* event)
{
    const Figure* present = figure();
    const int count = present == nullptr || !present->emptyText().isEmpty()
        ? 0
        : static_cast<int>(present->hotspots(content(), chartStyle()).size());
    const auto move = [this, count](int hotspot) {
        setCurrentHotspot(std::clamp(hotspot, 0, count - 1));
    };
    if (count == 0) {
        return QWidget::keyPressEvent(event);
    }
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: return move(m_hotspot + 1);
    case Qt::Key_Left:
    case Qt::Key_Up: return move(m_hotspot < 0 ? count - 1 : m_hotspot - 1);
    case Qt::Key_Home: return move(0);
    case Qt::Key_End: return move(count - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_hotspot >= 0) {
            const ChartPlace place = placeOfHotspot();
            if (place.hotspot >= 0) {
                choose(place);
            }
            Q_EMIT whyRequested(m_hotspot, place, anchorOf(m_hotspot).toPoint());
            return;
        }
        break;
    case Qt::Key_Escape:
        if (m_hotspot >= 0) {
            return setCurrentHotspot(-1);
        }
        if (!m_mark.isEmpty()) {
            return choose({});
        }
        break;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_figure_view.cpp"
