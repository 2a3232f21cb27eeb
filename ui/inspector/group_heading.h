// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/component.h"

#include <QWidget>

namespace flopsmith::ui {

/// The title of a group of parameters after a tick in its component's colour.
class GroupHeading : public QWidget
{
    Q_OBJECT

public:
    /// Without a component the tick has the accent colour.
    GroupHeading(const QString& title, const Component* component, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_title;
    const Component* m_component;
};

} // namespace flopsmith::ui
