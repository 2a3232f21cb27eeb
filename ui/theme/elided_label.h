// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace flopsmith::ui {

/// One line of text that ends in an ellipsis when there is no room, and is then a tool tip too.
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    enum class Role { title, muted, figure };

    ElidedLabel(Role role, Qt::Alignment alignment, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont textFont() const;

    Role m_role;
    Qt::Alignment m_alignment;
    QString m_text;
};

} // namespace flopsmith::ui
