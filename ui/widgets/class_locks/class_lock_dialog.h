// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/class_lock.h"
#include "ui/document/document.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QFormLayout;
class QLabel;
class QLineEdit;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Asks for the sentence that students read about a locked control, and for the bounds of a bounded
/// one, with the values in `lock` as defaults. Enter locks; errors are shown in the dialog.
class ClassLockDialog : public QDialog
{
    Q_OBJECT

public:
    ClassLockDialog(Document& document, ClassLock lock, QWidget& parent);

    QString message() const;

private:
    QLineEdit* addLine(QFormLayout& form,
                       const QString& name,
                       const QString& title,
                       const QString& text);
    bool readBound(const QLineEdit& line, double& bound);
    void take();
    void say(const QString& sentence);

    Document& m_document;
    ClassLock m_lock;
    QLineEdit* m_min = nullptr; ///< of a bounded control
    QLineEdit* m_max = nullptr;
    QLineEdit* m_sentence = nullptr;
    QLabel* m_message;
};

} // namespace flopsmith::ui
