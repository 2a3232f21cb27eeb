// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"

#include <QAbstractButton>

#include <optional>

namespace flopsmith::ui {

/// A line with a "+" in the gap between two rows where the pointer is: a click on it asks what to
/// insert there. (Keys have A for that.)
class GapPlus : public QAbstractButton
{
    Q_OBJECT

public:
    GapPlus(const Document& document, StackSurface& surface);

    /// The gap that it stands in, as in core/present/stack/landing.h.
    std::optional<int> gap() const { return m_gap; }

Q_SIGNALS:
    void insertionRequested(int gap);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(const QPoint& place);
    void standAt(std::optional<int> gap);

    const Document& m_document;
    StackSurface& m_surface;
    std::optional<int> m_gap;
};

} // namespace flopsmith::ui
