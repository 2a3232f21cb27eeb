// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/expression/expression.h"

#include <QVariantAnimation>
#include <QWidget>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// The ends of an axis whose decades are equally long.
struct DecadeAxis
{
    double from = 1.0;
    double to = 10.0;

    /// Where a value is between the ends, 0 … 1 between them, and the reverse.
    double placeOf(double value) const;
    double valueAt(double place) const;
};

/// Empty logarithmic axes on which curves are drawn: with the mouse, or column by column with Up and
/// Down, Ctrl+Left and Ctrl+Right. The true curves are faded in later.
class SketchPad : public QWidget
{
    Q_OBJECT

public:
    using Curves = std::vector<std::vector<CurvePoint>>;

    static constexpr int kColumns = 33;

    SketchPad(const DecadeAxis& x, const DecadeAxis& y, int curves, QWidget* parent);

    /// Which curve is drawn.
    void setCurrent(int curve);

    void setDrawn(const Curves& curves);
    Curves drawn() const;

    /// Whether each curve has at least two points.
    bool isComplete() const;

    void setTruth(const Curves& curves);

    QSize sizeHint() const override { return {420, 240}; }
    QSize minimumSizeHint() const override { return {260, 150}; }

Q_SIGNALS:
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using Line = std::vector<std::optional<double>>; ///< places on the vertical axis, by column

    QRectF plot() const;
    QPointF pixelOf(double x, double y) const;
    void drawTo(QPointF pixel);
    void raiseCurve(double by);
    void moveColumn(int by);
    void paintAxes(QPainter& painter) const;
    void paintCurve(QPainter& painter, const std::vector<CurvePoint>& curve, int index) const;

    DecadeAxis m_x;
    DecadeAxis m_y;
    std::vector<Line> m_lines;
    Curves m_truth;
    QVariantAnimation m_fade;
    int m_current = 0;
    int m_column = 0; ///< of the keyboard
    std::optional<int> m_lastColumn; ///< of the mouse, while a button is held
};

} // namespace flopsmith::ui
