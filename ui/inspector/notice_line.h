// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The document's notice in one line, with a button that applies its alternative; hidden while
/// there is no notice. It is below the sliders, so that none moves when it appears.
class NoticeLine : public QWidget
{
    Q_OBJECT

public:
    explicit NoticeLine(Document& document, QWidget* parent = nullptr);

    QString text() const;
    QPushButton& alternative() { return *m_alternative; }

private:
    void showNotice();

    Document& m_document;
    QLabel* m_text;
    QPushButton* m_alternative;
};

} // namespace flopsmith::ui
