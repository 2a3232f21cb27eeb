// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"

#include <QSlider>

#include <vector>

namespace flopsmith::ui {

/// A slider over the stops of a parameter. Its position is an index; its accessible value is that
/// of the stop. Esc while the handle is held puts it back.
class StopSlider : public QSlider
{
    Q_OBJECT

public:
    explicit StopSlider(QWidget* parent = nullptr);

    /// `accessibleValue` is the value in the document, which may be between two stops.
    void show(const std::vector<FieldValue>& stops,
              const FieldValue& value,
              const QString& accessibleValue);

    const std::vector<FieldValue>& stops() const { return m_stops; }
    const FieldValue& parameterValue() const { return m_value; }
    const QString& accessibleValue() const { return m_accessibleValue; }

    using QSlider::show;

Q_SIGNALS:
    /// Esc has cancelled the drag; the handle goes back next.
    void dragCancelled();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { none, held, cancelled };
    void setDrag(Drag drag);

    std::vector<FieldValue> m_stops{std::int64_t{0}};
    FieldValue m_value = std::int64_t{0};
    QString m_accessibleValue;
    Drag m_drag = Drag::none;
    int m_pressed = 0; ///< position before the drag
};

} // namespace flopsmith::ui
