// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;

/// A rounded panel: a head with a title on the left and small controls on the right, and a body
/// below.
class Panel : public QFrame
{
    Q_OBJECT

public:
    Panel(const QString& name, const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setNote(const QString& note); ///< muted text in the head's right corner

    /// Adds a widget at the right end of the head.
    void addToHead(QWidget* widget);

    /// Adds a widget right behind the title.
    void addBesideTitle(QWidget* widget);

    /// Replaces the title with a widget.
    void replaceTitle(QWidget* widget);

    void setBody(QWidget* body);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitHead();

    QWidget* m_headBox;
    QHBoxLayout* m_head;
    QVBoxLayout* m_column;
    ElidedLabel* m_title;
    ElidedLabel* m_note = nullptr;
};

} // namespace flopsmith::ui
