// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QVariantAnimation>

#include <functional>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The gap that opens in the stack where dragged blocks would land: what is drawn below its line
/// moves down. It opens and closes in 120 ms, or at once where the style animates nothing. Heights
/// are those of the scene.
class LandingGap : public QObject
{
    Q_OBJECT

public:
    /// By how much all open gaps together move a row down at most.
    static constexpr double kMaxShift = 160.0;

    explicit LandingGap(QWidget& canvas);

    /// Opens the gap, while the one before it closes.
    void open(double line, double height);

    /// Closes it; what is drawn moves back.
    void close();

    /// Forgets it at once, because the stack is drawn anew.
    void reset();

    /// The gap that is opening or open: from its shifted line, as high as it is now.
    std::optional<QRectF> shown(double left, double width) const;

    /// How far down something is drawn.
    double shiftAt(double y) const;

    /// Calls `paint` for each part of a place between the lines, shifted and clipped.
    void paintParted(QPainter& painter,
                     const QRectF& place,
                     const std::function<void()>& paint) const;

Q_SIGNALS:
    void moved();

private:
    struct Gap
    {
        double line = 0.0;
        double height = 0.0;
    };

    void start();
    Gap opening() const;
    std::vector<Gap> gaps() const;

    QWidget& m_canvas;
    std::optional<Gap> m_closing;
    std::optional<Gap> m_opening;
    QVariantAnimation m_animation;
    double m_share = 1.0; ///< of the way from the one to the other
};

} // namespace flopsmith::ui
