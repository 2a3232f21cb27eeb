// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/symbol_handle.h"

#include "core/parameter/parameter_lookup.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/formulas/symbol_accessible.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/values/parameter_editor.h"
#include "ui/widgets/values/value_text.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr double kDragLength = 480.0; ///< pixels from the first stop to the last, about
constexpr double kMinStop = 4.0; ///< pixels from one stop to the next
constexpr double kMaxStop = 24.0;
constexpr double kFineStep = 8.0;

FieldValue stopAfter(const std::vector<FieldValue>& stops, const FieldValue& value, int by)
{
    const int last = static_cast<int>(stops.size()) - 1;
    const int index = std::clamp(stopIndex(stops, value) + by, 0, last);
    return stops.at(static_cast<std::size_t>(index));
}

bool isStepKey(int key)
{
    constexpr std::array<int, 8> kKeys{Qt::Key_Left,
                                       Qt::Key_Right,
                                       Qt::Key_Up,
                                       Qt::Key_Down,
                                       Qt::Key_PageUp,
                                       Qt::Key_PageDown,
                                       Qt::Key_Home,
                                       Qt::Key_End};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

} // namespace

SymbolHandle::SymbolHandle(Document& document,
                           EditBurst& burst,
                           MovableSymbol symbol,
                           QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_burst(burst)
    , m_symbol(std::move(symbol))
{
    m_shown = value();
    installSymbolAccessibility();
    setCursor(Qt::SizeHorCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    connect(&document, &Document::changeRefused, this, [this] { m_refused = true; });
    describe();
}

void SymbolHandle::show(const MovableSymbol& symbol)
{
    if (!isDragged()) {
        m_symbol = symbol;
    }
    describe();
    if (const std::int64_t now = value(); now != m_shown) {
        m_shown = now;
        QAccessibleValueChangeEvent changed(this, static_cast<double>(now));
        QAccessible::updateAccessibility(&changed);
    }
    setVisible(true);
}

// The model may have lost it since the formula was made.
std::optional<Parameter> SymbolHandle::parameter() const
{
    std::optional<Parameter> found = firstParameter(m_document.scenario(), m_symbol.parameter.key);
    const bool isWhole =
        found && std::holds_alternative<std::int64_t>(found->value(m_document.scenario()));
    return isWhole ? found : std::nullopt;
}

std::int64_t SymbolHandle::value() const
{
    const std::optional<Parameter> now = parameter();
    return now ? std::get<std::int64_t>(now->value(m_document.scenario())) : m_shown;
}

LegalValues SymbolHandle::legal() const
{
    const std::optional<Parameter> now = parameter();
    return now ? now->legal(m_document.scenario()) : LegalValues::integers(m_shown, m_shown);
}

void SymbolHandle::describe()
{
    const QString label = fromUtf8(m_symbol.parameter.text.label);
    const QString range = QString::fromStdString(legal().text());
    setAccessibleName(tr("%1, %2 in the formula").arg(label, m_symbol.name));
    setAccessibleDescription(tr("legal values: %1").arg(range));
    setToolTip(tr("%1 = %2\nLegal: %3\nDrag it, or press the arrow keys; Shift: small steps; Esc "
                  "takes a drag back")
                   .arg(label, boxText(FieldValue(value())), range));
}

// A refusal ends the drag: its sentence would come again with every pixel.
bool SymbolHandle::ask(const FieldValue& value)
{
    const std::optional<Parameter> now = parameter();
    m_refused = !now;
    if (now) {
        setParameter(m_document, m_symbol.runs, *now, value);
    }
    return !m_refused;
}

void SymbolHandle::enter(double number)
{
    m_burst.touch();
    ask(legal().nearest(FieldValue(static_cast<std::int64_t>(std::llround(number)))));
}

void SymbolHandle::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || isDragged()) {
        event->ignore();
        return;
    }
    m_burst.finish();
    m_document.history().beginGesture();
    const LegalValues allowed = legal();
    m_drag = Drag{.start = value(),
                  .anchor = value(),
                  .from = event->globalPosition().toPoint().x(),
                  .fine = event->modifiers().testFlag(Qt::ShiftModifier),
                  .legal = allowed,
                  .stops = allowed.stops(),
                  .last = value()};
    setProperty("takesEscape", true); // a lecture leaves it the key
    update();
}

FieldValue SymbolHandle::reached(const Drag& drag, int pixels) const
{
    if (drag.fine) {
        const int steps = static_cast<int>(std::lround(pixels / kFineStep));
        return stepped(drag.legal, drag.stops, drag.anchor, steps);
    }
    const double perStop =
        std::clamp(kDragLength / static_cast<double>(drag.stops.size()), kMinStop, kMaxStop);
    const int stops = static_cast<int>(std::lround(pixels / perStop));
    return stops == 0 ? drag.anchor : stopAfter(drag.stops, drag.anchor, stops);
}

void SymbolHandle::mouseMoveEvent(QMouseEvent* event)
{
    if (!isDragged()) {
        return;
    }
    const int at = event->globalPosition().toPoint().x();
    const bool fine = event->modifiers().testFlag(Qt::ShiftModifier);
    if (fine != m_drag->fine) {
        m_drag->fine = fine;
        m_drag->from = at;
        m_drag->anchor = m_drag->last;
    }
    const FieldValue wanted = reached(*m_drag, at - m_drag->from);
    if (wanted == m_drag->last) {
        return;
    }
    m_drag->last = wanted;
    if (!ask(wanted)) {
        endDrag();
    }
}

void SymbolHandle::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        endDrag();
    }
}

void SymbolHandle::endDrag()
{
    if (isDragged()) {
        m_drag.reset();
        setProperty("takesEscape", false);
        m_document.history().endGesture();
        update();
        Q_EMIT dragEnded();
    }
}

void SymbolHandle::hideEvent(QHideEvent* event)
{
    endDrag(); // the mouse is lost
    QWidget::hideEvent(event);
}

// No shortcut of the window acts in place of a key that moves the letter.
bool SymbolHandle::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
        if ((plain && isStepKey(key->key())) || (isDragged() && key->key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

std::optional<FieldValue> SymbolHandle::wantedBy(const QKeyEvent& key) const
{
    const LegalValues allowed = legal();
    const std::vector<FieldValue> stops = allowed.stops();
    const int page = std::max(1, static_cast<int>(stops.size()) / 10);
    const auto by = [&](int direction) {
        return key.modifiers().testFlag(Qt::ShiftModifier)
            ? stepped(allowed, stops, value(), direction)
            : stopAfter(stops, value(), direction);
    };
    switch (key.key()) {
    case Qt::Key_Right:
    case Qt::Key_Up: return by(+1);
    case Qt::Key_Left:
    case Qt::Key_Down: return by(-1);
    case Qt::Key_PageUp: return stopAfter(stops, value(), +page);
    case Qt::Key_PageDown: return stopAfter(stops, value(), -page);
    case Qt::Key_Home: return stops.front();
    case Qt::Key_End: return stops.back();
    default: return std::nullopt;
    }
}

void SymbolHandle::keyPressEvent(QKeyEvent* event)
{
    if (isDragged()) {
        if (event->key() == Qt::Key_Escape) {
            ask(m_drag->start);
            endDrag();
        }
        return;
    }
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    const std::optional<FieldValue> wanted = plain ? wantedBy(*event) : std::nullopt;
    if (!wanted) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_burst.touch();
    ask(*wanted);
}

// A line below the letter shows that it can be moved, and a frame shows the focus.
void SymbolHandle::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    const bool active = isDragged() || hasFocus() || underMouse();
    QPainter painter(this);
    painter.setPen(QPen(active ? theme.accent : theme.mutedText,
                        active ? 2.0 : 1.0,
                        active ? Qt::SolidLine : Qt::DotLine));
    painter.drawLine(2, height() - 2, width() - 3, height() - 2);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 1.0));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
    }
}

} // namespace flopsmith::ui

#include "moc_symbol_handle.cpp"
