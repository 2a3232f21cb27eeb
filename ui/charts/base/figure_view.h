// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>

namespace flopsmith::ui {

/// Shows a figure and answers pointer and arrow keys with the numbers behind it.
///
/// Cheap to update with every frame: new content only marks the view as dirty; it is painted once
/// per frame, into a pixmap over which the read-out is drawn, and not at all while hidden.
class FigureView : public QWidget
{
    Q_OBJECT

public:
    using Source = std::function<std::unique_ptr<Figure>()>;

    /// `name`: object name and accessible name ("Share").
    explicit FigureView(const QString& name, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setHatching(bool on);

    /// Content that is computed when it is needed: at the next painting, or by figure().
    void setSource(Source source);
    void setFigure(std::unique_ptr<Figure> figure);

    /// The present content, or null before there was any.
    const Figure* figure();

    /// The spot at a place of the view, or -1.
    int spotAt(QPointF place);

    /// Beside which place of the view a spot has its card.
    QPointF anchorOf(int spot);

    /// The spot whose card is shown, or -1.
    int currentSpot() const { return m_spot; }
    void setCurrentSpot(int spot);

    /// For a screen reader: the spot under the cursor, else the whole figure.
    QString spokenText();

    QSize sizeHint() const override { return {420, 330}; }
    QSize minimumSizeHint() const override { return {240, 200}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    ChartStyle chartStyle() const;
    QRectF content() const;
    void refresh();
    void paintToCache();

    Source m_source;
    std::unique_ptr<Figure> m_figure;
    Theme m_theme = lightTheme();
    bool m_hatching = false;
    QPixmap m_cache;
    bool m_dirty = true;
    int m_spot = -1;
};

} // namespace flopsmith::ui
