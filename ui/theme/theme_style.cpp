// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_style.h"

#include "ui/theme/reading_order.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kFieldHeight = 28;
constexpr int kHandle = 16; ///< diameter of a slider's handle
constexpr double kGroove = 4.0;
constexpr double kFieldRadius = 6.0;

class Saved
{
public:
    explicit Saved(QPainter& painter)
        : m_painter(painter)
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
    }
    ~Saved() { m_painter.restore(); }
    Saved(const Saved&) = delete;
    Saved& operator=(const Saved&) = delete;

private:
    QPainter& m_painter;
};

void drawChevron(QPainter& painter, QPointF centre, double size, const QColor& colour, int way)
{
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const std::array<QPointF, 3> line{centre + QPointF(-size, -way * size / 2),
                                      centre + QPointF(0, way * size / 2),
                                      centre + QPointF(size, -way * size / 2)};
    painter.drawPolyline(line.data(), static_cast<int>(line.size()));
}

// Line edits inside these draw no frame of their own.
bool isInsideField(const QWidget* widget)
{
    const QWidget* parent = widget != nullptr ? widget->parentWidget() : nullptr;
    return qobject_cast<const QComboBox*>(parent) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(parent) != nullptr;
}

} // namespace

ThemeStyle::ThemeStyle(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
    , m_theme(theme)
{}

// Names of models, files and devices must not be parsed as markup, so labels are plain text unless
// they request rich text. With a style sheet Qt 6.4 does not ask this style for the size of spin
// boxes, and Qt 6.8 adds a frame to it, so they get a minimum height instead.
void ThemeStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* spin = qobject_cast<QAbstractSpinBox*>(widget)) {
        const int wanted = std::max(spin->minimumHeight(), kFieldHeight);
        spin->setMinimumHeight(std::min(wanted, spin->maximumHeight())); // the maximum may be fixed
    }
    auto* label = qobject_cast<QLabel*>(widget);
    if (label != nullptr && label->textFormat() == Qt::AutoText) {
        label->setTextFormat(Qt::PlainText); // also of tool tips and message boxes
    }
}

void ThemeStyle::drawComplexControl(ComplexControl control,
                                    const QStyleOptionComplex* option,
                                    QPainter* painter,
                                    const QWidget* widget) const
{
    switch (control) {
    case CC_Slider: return drawSlider(*painter, *option, widget);
    case CC_ComboBox: return drawComboBox(*painter, *option, widget);
    case CC_SpinBox: return drawSpinBox(*painter, *option, widget);
    default: return QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

// For lists and tables, whose items have the direction of the window.
void ThemeStyle::drawControl(ControlElement element,
                             const QStyleOption* option,
                             QPainter* painter,
                             const QWidget* widget) const
{
    const auto* item = element == CE_ItemViewItem
        ? qstyleoption_cast<const QStyleOptionViewItem*>(option)
        : nullptr;
    if (item == nullptr || item->direction == Qt::LeftToRight) {
        return QProxyStyle::drawControl(element, option, painter, widget);
    }
    QStyleOptionViewItem ordered = *item;
    ordered.text = inOwnOrder(item->text);
    QProxyStyle::drawControl(element, &ordered, painter, widget);
}

// For labels, buttons and headers. Labels pass their direction as a flag, the others in the
// painter.
void ThemeStyle::drawItemText(QPainter* painter,
                              const QRect& place,
                              int flags,
                              const QPalette& palette,
                              bool enabled,
                              const QString& text,
                              QPalette::ColorRole role) const
{
    constexpr int kOrders = Qt::TextForceLeftToRight | Qt::TextForceRightToLeft;
    const Qt::LayoutDirection layout = (flags & Qt::TextForceRightToLeft) != 0 ? Qt::RightToLeft
        : (flags & Qt::TextForceLeftToRight) != 0                              ? Qt::LeftToRight
                                                  : painter->layoutDirection();
    const auto side = Qt::Alignment::fromInt(flags & Qt::AlignHorizontal_Mask);
    const int others = flags & ~(kOrders | Qt::AlignHorizontal_Mask);
    QProxyStyle::drawItemText(
        painter, place, others | textFlags(side, text, layout), palette, enabled, text, role);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element,
                               const QStyleOption* option,
                               QPainter* painter,
                               const QWidget* widget) const
{
    switch (element) {
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        if (!isInsideField(widget) && element == PE_PanelLineEdit) {
            drawField(*painter, *option);
        }
        return;
    case PE_IndicatorCheckBox: return drawCheckBox(*painter, *option);
    case PE_FrameFocusRect: return; // focus is a border in the accent colour
    default: return QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ThemeStyle::drawField(QPainter& painter, const QStyleOption& option) const
{
    const Saved saved(painter);
    const bool enabled = option.state.testFlag(State_Enabled);
    const bool focus = enabled && option.state.testFlag(State_HasFocus);
    const bool hover = enabled && option.state.testFlag(State_MouseOver);
    const double width = focus ? 1.5 : 1.0;
    painter.setPen(QPen(focus ? m_theme.accent : m_theme.fieldBorder, width));
    painter.setBrush(hover && !focus ? m_theme.fieldHover : m_theme.field);
    const double inset = width / 2;
    painter.drawRoundedRect(
        QRectF(option.rect).adjusted(inset, inset, -inset, -inset), kFieldRadius, kFieldRadius);
}

void ThemeStyle::drawSlider(QPainter& painter,
                            const QStyleOptionComplex& option,
                            const QWidget* widget) const
{
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(&option);
    if (slider == nullptr || slider->orientation != Qt::Horizontal) {
        return QProxyStyle::drawComplexControl(CC_Slider, &option, &painter, widget);
    }
    const Saved saved(painter);
    const bool enabled = option.state.testFlag(State_Enabled);
    const QVariant own = widget != nullptr ? widget->property("accent") : QVariant();
    const QColor accent = !enabled ? m_theme.groove
        : own.isValid()            ? own.value<QColor>()
                                   : m_theme.accent;
    const QPointF handle =
        QRectF(proxy()->subControlRect(CC_Slider, slider, SC_SliderHandle, widget)).center();
    const QRectF groove(
        slider->rect.left() + 2.0, handle.y() - kGroove / 2, slider->rect.width() - 4.0, kGroove);
    const bool mirrored = slider->upsideDown;

    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.groove);
    painter.drawRoundedRect(groove, kGroove / 2, kGroove / 2);
    QRectF filled = groove;
    mirrored ? filled.setLeft(handle.x()) : filled.setRight(handle.x());
    painter.setBrush(accent);
    painter.drawRoundedRect(filled, kGroove / 2, kGroove / 2);

    if (option.state.testFlag(State_HasFocus)) {
        QColor halo = accent;
        halo.setAlphaF(0.22F);
        painter.setBrush(halo);
        painter.drawEllipse(handle, kHandle / 2.0, kHandle / 2.0);
    }
    painter.setBrush(m_theme.panel);
    painter.setPen(QPen(accent, 2.2));
    painter.drawEllipse(handle, kHandle / 2.0 - 2.6, kHandle / 2.0 - 2.6);
}

void ThemeStyle::drawComboBox(QPainter& painter,
                              const QStyleOptionComplex& option,
                              const QWidget* widget) const
{
    drawField(painter, option);
    const Saved saved(painter);
    const QRectF arrow = proxy()->subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget);
    const bool enabled = option.state.testFlag(State_Enabled);
    drawChevron(painter, arrow.center(), 3.5, enabled ? m_theme.mutedText : m_theme.groove, 1);
}

void ThemeStyle::drawSpinBox(QPainter& painter,
                             const QStyleOptionComplex& option,
                             const QWidget* widget) const
{
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(&option);
    if (spin == nullptr || spin->frame) {
        drawField(painter, option);
    }
    if (spin == nullptr || spin->buttonSymbols == QAbstractSpinBox::NoButtons) {
        return;
    }
    // The arrows are muted until the box is hovered or focused.
    const bool inUse =
        spin->state.testFlag(State_MouseOver) || spin->state.testFlag(State_HasFocus);
    const Saved saved(painter);
    const auto drawStep = [&](SubControl part, QAbstractSpinBox::StepEnabledFlag flag, int way) {
        const bool can = spin->stepEnabled.testFlag(flag) && spin->state.testFlag(State_Enabled);
        const bool pressed = spin->activeSubControls == part;
        const QColor colour = !can ? m_theme.groove
            : pressed              ? m_theme.accent
            : inUse                ? m_theme.text
                                   : m_theme.mutedText;
        const QRectF place = proxy()->subControlRect(CC_SpinBox, spin, part, widget);
        drawChevron(painter, place.center(), 2.6, colour, way);
    };
    drawStep(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, -1);
    drawStep(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, 1);
}

void ThemeStyle::drawCheckBox(QPainter& painter, const QStyleOption& option) const
{
    const Saved saved(painter);
    const bool on = option.state.testFlag(State_On);
    const bool mixed = option.state.testFlag(State_NoChange);
    const bool enabled = option.state.testFlag(State_Enabled);
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const QColor accent = enabled ? m_theme.accent : m_theme.groove;
    const bool marked = on || mixed || option.state.testFlag(State_HasFocus);
    painter.setPen(QPen(marked ? accent : m_theme.mutedText, 1.2));
    painter.setBrush(on ? accent : m_theme.field);
    painter.drawRoundedRect(box, 3.5, 3.5);
    if (on) {
        painter.setPen(QPen(m_theme.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const std::array<QPointF, 3> tick{
            box.topLeft() + QPointF(box.width() * 0.24, box.height() * 0.53),
            box.topLeft() + QPointF(box.width() * 0.43, box.height() * 0.72),
            box.topLeft() + QPointF(box.width() * 0.77, box.height() * 0.30)};
        painter.drawPolyline(tick.data(), static_cast<int>(tick.size()));
    } else if (mixed) {
        painter.setPen(QPen(accent, 1.8, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(box.left() + box.width() * 0.27, box.center().y()),
                         QPointF(box.left() + box.width() * 0.73, box.center().y()));
    }
}

QRect ThemeStyle::subControlRect(ComplexControl control,
                                 const QStyleOptionComplex* option,
                                 SubControl subControl,
                                 const QWidget* widget) const
{
    if (control == CC_ComboBox && subControl == SC_ComboBoxArrow) {
        return visualRect(
            option->direction,
            option->rect,
            {option->rect.right() - 21, option->rect.top(), 18, option->rect.height()});
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QSize ThemeStyle::sizeFromContents(ContentsType type,
                                   const QStyleOption* option,
                                   const QSize& contents,
                                   const QWidget* widget) const
{
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    const bool hasFrame = type == CT_LineEdit && !isInsideField(widget);
    if (type == CT_ComboBox || hasFrame) { // of spin boxes see polish()
        size.setHeight(std::max(size.height(), kFieldHeight));
    }
    return size;
}

int ThemeStyle::pixelMetric(PixelMetric metric,
                            const QStyleOption* option,
                            const QWidget* widget) const
{
    switch (metric) {
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength: return kHandle;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight: return 16;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint,
                          const QStyleOption* option,
                          const QWidget* widget,
                          QStyleHintReturn* answer) const
{
    switch (hint) {
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton;
    case SH_Slider_PageSetButtons: return Qt::NoButton;
    case SH_EtchDisabledText: return 0;
    default: return QProxyStyle::styleHint(hint, option, widget, answer);
    }
}

} // namespace flopsmith::ui

#include "moc_theme_style.cpp"
