// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;

/// Figures that are often printed wrong, one card each. They do not depend on the document's model
/// and are computed on the GUI thread when the page is first shown.
class FolklorePage : public QWidget
{
    Q_OBJECT

public:
    explicit FolklorePage(const Document& document, QWidget* parent = nullptr);

    bool isFilled() const { return m_isFilled; }

Q_SIGNALS:
    void filled();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();

    QVBoxLayout* m_cards = nullptr;
    QLabel* m_waiting = nullptr;
    bool m_isAsked = false;
    bool m_isFilled = false;
};

} // namespace flopsmith::ui
