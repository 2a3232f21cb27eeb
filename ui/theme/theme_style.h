// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QProxyStyle>

namespace flopsmith::ui {

/// Fusion with the theme's own sliders, combo boxes, spin boxes, line edits and check boxes, which
/// a style sheet can draw only with image files, or not in a colour per widget. Texts keep their own
/// order in a window that is laid out from right to left.
class ThemeStyle : public QProxyStyle
{
    Q_OBJECT

public:
    explicit ThemeStyle(const Theme& theme);

    /// Sets the theme of everything that is painted from now on.
    void setTheme(const Theme& theme) { m_theme = theme; }

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;

    void drawComplexControl(ComplexControl control,
                            const QStyleOptionComplex* option,
                            QPainter* painter,
                            const QWidget* widget) const override;
    void drawControl(ControlElement element,
                     const QStyleOption* option,
                     QPainter* painter,
                     const QWidget* widget) const override;
    void drawItemText(QPainter* painter,
                      const QRect& place,
                      int flags,
                      const QPalette& palette,
                      bool enabled,
                      const QString& text,
                      QPalette::ColorRole role = QPalette::NoRole) const override;
    void drawPrimitive(PrimitiveElement element,
                       const QStyleOption* option,
                       QPainter* painter,
                       const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control,
                         const QStyleOptionComplex* option,
                         SubControl subControl,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type,
                           const QStyleOption* option,
                           const QSize& contents,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric,
                    const QStyleOption* option,
                    const QWidget* widget) const override;
    int styleHint(StyleHint hint,
                  const QStyleOption* option,
                  const QWidget* widget,
                  QStyleHintReturn* answer) const override;

private:
    void drawField(QPainter& painter, const QStyleOption& option) const;
    void drawSlider(QPainter& painter, const QStyleOptionComplex& option, const QWidget* w) const;
    void drawComboBox(QPainter& painter, const QStyleOptionComplex& option, const QWidget* w) const;
    void drawSpinBox(QPainter& painter, const QStyleOptionComplex& option, const QWidget* w) const;
    void drawCheckBox(QPainter& painter, const QStyleOption& option) const;

    Theme m_theme;
};

} // namespace flopsmith::ui
