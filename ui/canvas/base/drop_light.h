// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <optional>

namespace flopsmith::ui {

/// What a drop on the stack would change.
struct DropTarget
{
    int row = -1; ///< of the picture; the number of rows means the end of the stack
    int part = -1; ///< of the row, that would be replaced

    bool operator==(const DropTarget&) const = default;
};

/// The row or part that is lit while something is dragged over it, with what a drop would do.
class DropLight
{
public:
    explicit DropLight(QWidget& viewport)
        : m_viewport(viewport)
    {}

    const QString& text() const { return m_text; }
    bool isOnRow(int row) const { return m_target && m_target->row == row; }

    /// The part of the lit row that would be replaced, or -1.
    int part() const { return m_target ? m_target->part : -1; }

    void set(std::optional<DropTarget> target, const QString& text = {})
    {
        if (target != m_target || text != m_text) {
            m_target = target;
            m_text = text;
            m_viewport.update();
        }
    }

private:
    QWidget& m_viewport;
    std::optional<DropTarget> m_target;
    QString m_text;
};

} // namespace flopsmith::ui
