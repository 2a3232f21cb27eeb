// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ElidedLabel;
class InsideCanvas;

/// The inside of the selected run's block: a breadcrumb that leads back, the choice of what the
/// bars show, the operations, and a sentence about the selected one.
class InsidePage : public QWidget
{
    Q_OBJECT

public:
    explicit InsidePage(Document& document, QWidget* parent = nullptr);

    InsideCanvas& canvas() { return *m_canvas; }
    QString note() const;

    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return false; }

Q_SIGNALS:
    /// By Esc or by the breadcrumb.
    void left();

    /// What the bars show, for the panel's corner.
    void noteChanged(const QString& note);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createHead();
    void createMeasures();
    void showPicture();

    QToolButton* m_back;
    ElidedLabel* m_path;
    QComboBox* m_measures;
    InsideCanvas* m_canvas;
    QLabel* m_sentence;
};

} // namespace flopsmith::ui
