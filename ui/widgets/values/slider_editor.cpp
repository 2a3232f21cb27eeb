// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/parameter_edit.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/values/editor_controls.h"
#include "ui/widgets/values/parameter_editor.h"
#include "ui/widgets/values/value_text.h"

#include <QApplication>
#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>

#include <algorithm>

// The line of a number: label, symbol, slider, box and hint.

namespace flopsmith::ui {
namespace {

enum Column { kLabel, kSymbol, kSlider, kBox, kHint };

// "g_k" with its index as a subscript.
QString symbolText(const QString& symbol)
{
    const qsizetype line = symbol.indexOf(QLatin1Char('_'));
    return line < 0
        ? symbol
        : QStringLiteral("%1<sub>%2</sub>")
              .arg(symbol.left(line).toHtmlEscaped(), symbol.mid(line + 1).toHtmlEscaped());
}

QLabel* muted(QWidget& parent)
{
    auto* label = new QLabel(&parent);
    label->setProperty("role", QStringLiteral("muted"));
    label->setTextFormat(Qt::RichText); // symbols have indices
    return label;
}

} // namespace

SliderEditor::SliderEditor(Document& document,
                           const Parameter& parameter,
                           EditBurst& burst,
                           QGridLayout& grid,
                           int line,
                           QWidget& parent)
    : ParameterEditor(document, parameter, &parent)
    , m_burst(burst)
    , m_label(new QLabel(fromUtf8(parameter.text.label), &parent))
    , m_symbol(muted(parent))
    , m_slider(new StopSlider(&parent))
    , m_box(new ValueBox(&parent))
    , m_hint(muted(parent))
{
    const QString accessibleName =
        tr("%1, %2").arg(fromUtf8(parameter.text.label), groupOf(parameter));
    name(*m_label, "label", accessibleName);
    name(*m_symbol, "symbol", tr("symbol of %1").arg(accessibleName));
    name(*m_slider, "slider", accessibleName);
    name(*m_box, "box", tr("value of %1").arg(accessibleName));
    name(*m_hint, "hint", tr("limit of %1").arg(accessibleName));
    m_symbol->setText(symbolText(fromUtf8(parameter.text.symbol)));
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setMinimumWidth(48);
    if (parameter.component != nullptr) {
        m_slider->setProperty("accent", colour(*parameter.component));
    }
    guardAgainstWheel(*m_slider);
    m_slider->installEventFilter(this);
    m_box->setFixedHeight(controlHeight(*m_box));
    m_label->setBuddy(m_box);
    grid.addWidget(m_label, line, kLabel);
    grid.addWidget(m_symbol, line, kSymbol, Qt::AlignHCenter);
    grid.addWidget(m_slider, line, kSlider);
    grid.addWidget(m_box, line, kBox);
    grid.addWidget(m_hint, line, kHint);
    connectControls();
    show(parameter);
}

void SliderEditor::connectControls()
{
    connect(m_slider, &QSlider::sliderPressed, this, &SliderEditor::beginHold);
    connect(m_slider, &QSlider::sliderReleased, this, &SliderEditor::endHold);
    connect(m_slider, &StopSlider::dragCancelled, this, [this] {
        m_held = false;
        document().history().cancelGesture();
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int index) {
        if (!m_held) {
            m_burst.touch();
        }
        set(FieldValue(m_slider->stops().at(static_cast<std::size_t>(index))));
    });
    connect(m_box, &ValueBox::edited, this, [this](const FieldValue& value) {
        m_burst.touch();
        setTyped(value);
    });
    connectTyping(*m_box, document(), [this] {
        m_burst.finish();
        return parameter();
    });
}

// Outside of a class's bounds the document takes the nearest value, and reports it.
void SliderEditor::setTyped(const FieldValue& value)
{
    const ClassLock* bounds = classBounds();
    if (bounds != nullptr && withinBounds(*bounds, value) != value) {
        enterParameter(document(), parameter(), value);
    } else {
        set(value);
    }
}

// A click into the groove changes the value before sliderPressed(), so the gesture begins and ends
// with the mouse button.
bool SliderEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress
        && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        beginHold();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        endHold();
    }
    return ParameterEditor::eventFilter(watched, event);
}

void SliderEditor::beginHold()
{
    if (!m_held) {
        m_held = true;
        m_burst.finish();
        document().history().beginGesture();
    }
}

void SliderEditor::endHold()
{
    if (m_held) {
        m_held = false;
        document().history().endGesture();
    }
}

void SliderEditor::show(const Parameter& parameter)
{
    take(parameter);
    setVisible(applies());
    const LegalValues allowed = legal();
    std::vector<FieldValue> stops = m_slider->stops();
    readLegal(allowed, stops);
    const FieldValue now = value();
    const QSignalBlocker blocker(m_slider);
    m_hint->setText(limitHint(allowed, stops, now));
    m_box->setMixed(isMixed());
    m_box->show(allowed, stops, now);
    showZero(now);
    showRule();
    m_slider->show(stops, now, m_box->accessibleValue());
}

// Shows a 0 with a special meaning: "auto" in the box, and its current value in the hint.
void SliderEditor::showZero(const FieldValue& value)
{
    const QString zero = QString::fromStdString(zeroText(document().scenario(), parameter()));
    m_box->setZeroText(zero);
    const qsizetype detail = zero.indexOf(QLatin1Char('('));
    if (value == FieldValue(std::int64_t{0}) && detail > 0 && !isMixed()) {
        m_box->setZeroText(zero.left(detail).trimmed());
        m_hint->setText(zero.mid(detail));
    }
}

// A tied parameter shows a link and its expression, a locked one a padlock. The box stays enabled:
// the keyboard reaches the row's menu by it.
void SliderEditor::showRule()
{
    constexpr int kIconSize = 16;
    constexpr qsizetype kLongest = 18; // of an expression; the tool tip has all of it
    const Tie* follows = tie();
    const bool ruled = follows != nullptr || hasPadlock();
    m_slider->setEnabled(follows == nullptr && !isLocked() && !isFixedForClass());
    if (const ClassLock* bounds = classBounds()) {
        m_hint->setText(
            QStringLiteral("%1 … %2").arg(QString::fromStdString(boundText(bounds->min)),
                                          QString::fromStdString(boundText(bounds->max))));
    }
    if (follows != nullptr) {
        const QString text =
            QStringLiteral("= ") + QString::fromStdString(shownExpression(*follows));
        m_hint->setText(text.size() > kLongest
                            ? text.left(kLongest - 1).toHtmlEscaped() + QStringLiteral("…")
                            : text.toHtmlEscaped());
    }
    const QColor colour = systemTheme().mutedText;
    const QString icon = follows != nullptr ? QStringLiteral("link") : QStringLiteral("lock");
    const QString sign = ruled ? icon + colour.name() : QString();
    if (sign == m_sign) {
        return;
    }
    m_sign = sign;
    if (ruled) {
        m_symbol->setPixmap(themedIcon(icon, colour).pixmap(kIconSize));
    } else {
        m_symbol->setText(symbolText(fromUtf8(parameter().text.symbol)));
    }
}

void SliderEditor::readLegal(const LegalValues& allowed, std::vector<FieldValue>& stops)
{
    const QString text = QString::fromStdString(allowed.text());
    const QString tip = toolTip(allowed);
    if (text == m_legalText && tip == m_box->toolTip()) {
        return;
    }
    m_legalText = text;
    stops = allowed.stops();
    if (const ClassLock* bounds = classBounds()) {
        std::erase_if(stops, [bounds](const FieldValue& stop) {
            return withinBounds(*bounds, stop) != stop;
        });
        if (stops.empty()) { // none is legal: it does not move
            stops = {value()};
        }
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{m_label, m_symbol, m_slider, m_box}) {
        widget->setToolTip(tip);
    }
    m_slider->setPageStep(std::max(1, static_cast<int>(stops.size()) / 10));
    m_slider->setAccessibleDescription(
        tie() != nullptr || hasPadlock() ? tip : tr("legal values: %1").arg(text));
    m_box->setAccessibleDescription(classText());
}

void SliderEditor::setVisible(bool visible)
{
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_label, m_symbol, m_slider, m_box, m_hint}) {
        if (widget->isHidden() == visible) {
            widget->setVisible(visible);
        }
    }
}

} // namespace flopsmith::ui
