// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/folklore.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A figure that is often printed wrong: the printed value struck through, the true value, their
/// ratio, and an explanation on demand.
class FolkloreCard : public QFrame
{
    Q_OBJECT

public:
    explicit FolkloreCard(Folklore folklore, QWidget* parent = nullptr);

    void setOpen(bool open);
    bool isOpen() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* wrapped(const char* name, const char* role);
    void writeTexts();
    void enlargeTitle();
    QString derivation() const;

    Folklore m_folklore;
    QLabel* m_title = nullptr;
    QLabel* m_printed;
    QLabel* m_truth;
    QLabel* m_derivation;
    QPushButton* m_why;
};

} // namespace flopsmith::ui
