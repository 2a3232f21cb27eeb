// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace flopsmith::ui {

/// Shows a figure and answers pointer and arrow keys with the numbers behind it.
///
/// Cheap to update with every frame: new content only marks the view as dirty; it is painted once
/// per frame, into a pixmap over which the read-out is drawn, and not at all while hidden. A click,
/// or Return on a hotspot, chooses its operation; the selected operation is marked. A ring shows
/// keyboard focus.
class FigureView : public QWidget
{
    Q_OBJECT

public:
    using Source = std::function<std::unique_ptr<Figure>()>;

    /// `name`: object name and accessible name ("Share").
    explicit FigureView(const QString& name, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setHatching(bool on);

    /// Type size, line widths and digits of the figure and of its cards.
    void setScale(const DisplayScale& scale);
    const DisplayScale& scale() const { return m_scale; }

    /// Content that is computed when it is needed: at the next painting, or by figure(). A source
    /// that returns null leaves the present content until setFigure() brings another.
    void setSource(Source source);
    void setFigure(std::unique_ptr<Figure> figure);
    bool hasFigure() const { return m_figure != nullptr; }

    /// Whether the present content is a sentence in place of a chart.
    bool isEmpty() const { return m_isEmpty; }

    /// The present content, or null before there was any.
    const Figure* figure();

    /// The hotspot at a place of the view, or -1.
    int hotspotAt(QPointF place);

    /// Nothing if there is none of that index.
    std::optional<Hotspot> hotspot(int index);

    /// The tick's text at a place of the view, if one stands there.
    std::optional<Label> tickAt(QPointF place);

    /// Beside which place of the view a hotspot has its card.
    QPointF anchorOf(int index);

    /// The hotspot whose card is shown, or -1.
    int currentHotspot() const { return m_hotspot; }
    void setCurrentHotspot(int hotspot);

    /// The selected operation, which is outlined where the figure shows it.
    void setMark(ChartMark mark);
    const ChartMark& mark() const { return m_mark; }

    /// The places of the figure that show the selected operation.
    std::vector<ChartPlace> marked();

    /// For a screen reader: the hotspot under the cursor, otherwise the whole figure.
    QString accessibleText();

    QSize sizeHint() const override { return {420, 330}; }
    QSize minimumSizeHint() const override { return {240, 200}; }

Q_SIGNALS:
    /// By its path in the cost tree or, without one, by the id of its component; without both, the
    /// selection is cleared.
    void chosen(const QString& path, const QString& component);

    /// A click on a hotspot at a point of the view, or Return beside it, with the place that was hit;
    /// it has no part where the whole hotspot is meant.
    void whyRequested(int hotspot, const ChartPlace& place, const QPoint& at);

    /// A click on the text of a tick.
    void tickRequested(const Label& text);

    void emptinessChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    ChartStyle chartStyle() const;
    QRectF content() const;
    void refresh();
    void paintToCache();
    void paintMark(QPainter& painter);
    void paintHotspot(QPainter& painter);
    void paintFocus(QPainter& painter) const;
    void choose(const ChartPlace& place);
    ChartPlace placeOfHotspot();

    Source m_source;
    std::unique_ptr<Figure> m_figure;
    Theme m_theme = lightTheme();
    bool m_hatching = false;
    DisplayScale m_scale;
    QPixmap m_cache;
    bool m_dirty = true;
    bool m_isEmpty = false;
    ChartMark m_mark;
    int m_hotspot = -1;
    bool m_isPressed = false; ///< since a click began, which is no second one
    bool m_hasRing = false; ///< the focus came by a key
};

} // namespace flopsmith::ui
