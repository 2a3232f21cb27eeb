// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/formulas/movable_symbols.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace flopsmith::ui {

class EditBurst;

/// Lies over a letter of a formula and sets its parameter. A horizontal drag moves it over the stops
/// of the parameter's slider, with Shift over all legal values, as one undo step, and Esc takes the
/// drag back. With the focus, arrow keys do the same (with Shift through all values), PageUp and
/// PageDown take larger steps, Home and End go to the ends. The text below stays visible.
class SymbolHandle : public QWidget
{
    Q_OBJECT

public:
    SymbolHandle(Document& document, EditBurst& burst, MovableSymbol symbol, QWidget* parent);

    /// The same letter after a change of the document. While it is dragged, the handle keeps the
    /// parameter that it was pressed with.
    void show(const MovableSymbol& symbol);
    using QWidget::show;

    const MovableSymbol& symbol() const { return m_symbol; }
    bool isDragged() const { return m_drag.has_value(); }

    /// The parameter's present value, or its last one if the model no longer has it.
    std::int64_t value() const;
    LegalValues legal() const;

    /// Sets the legal value nearest to a number, as one step of keys.
    void enter(double number);

Q_SIGNALS:
    void dragEnded();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Drag
    {
        FieldValue start; ///< restored by Esc
        FieldValue anchor; ///< the value at `from`
        int from = 0; ///< pixels
        bool fine = false;
        LegalValues legal;
        std::vector<FieldValue> stops;
        FieldValue last; ///< the last requested value
    };

    std::optional<Parameter> parameter() const;
    bool ask(const FieldValue& value);
    void endDrag();
    void describe();
    FieldValue reached(const Drag& drag, int pixels) const;
    std::optional<FieldValue> wantedBy(const QKeyEvent& key) const;

    Document& m_document;
    EditBurst& m_burst;
    MovableSymbol m_symbol;
    std::int64_t m_shown = 0;
    std::optional<Drag> m_drag;
    bool m_refused = false;
};

} // namespace flopsmith::ui
