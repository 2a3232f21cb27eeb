// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace flopsmith::ui {

/// One line of plain text that ends in an ellipsis when there is no room, and is then a tool tip
/// too. Names of models, files and devices stand in these: no name is markup or widens the window.
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    enum class Role { title, muted, figure, error };

    ElidedLabel(Role role, Qt::Alignment alignment, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }

    void setRole(Role role);

    /// More for the tool tip, below the text if that is cut.
    void setDetail(const QString& detail);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont textFont() const;

    Role m_role;
    Qt::Alignment m_alignment;
    QString m_text;
    QString m_detail;
};

} // namespace flopsmith::ui
