// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class ElidedLabel;

/// The foot of the inspector: the FFN of the selected blocks beside a dense one, by parameters and by
/// FLOPs. Hidden where no one FFN is selected.
class FfnFoot : public QWidget
{
    Q_OBJECT

public:
    explicit FfnFoot(QWidget* parent);

    void show(const Document& document);

private:
    ElidedLabel* m_caption;
    QLabel* m_parameters;
    QLabel* m_separator;
    QLabel* m_flops;
};

} // namespace flopsmith::ui
