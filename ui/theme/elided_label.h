// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace flopsmith::ui {

/// One line of plain text that is elided if it does not fit, and then also shown as a tool tip.
/// Used for names of models, files and devices: no name is parsed as markup or makes the window
/// wider.
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    enum class Role { title, muted, figure, error };

    ElidedLabel(Role role, Qt::Alignment alignment, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }

    void setRole(Role role);

    /// Additional text of the tool tip, below the label's text if that is elided.
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
