// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace flopsmith::ui {

/// Arranges its widgets in lines, like the words of a text, each at its own size.
class FlowLayout : public QLayout
{
public:
    explicit FlowLayout(int gap, QWidget* parent = nullptr);
    ~FlowLayout() override;

    /// Like addWidget(), at a place in the order.
    void insertWidget(int place, QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index, nullptr); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& rect) override;

private:
    enum class Placing { measure, place };
    int arranged(const QRect& rect, Placing placing) const;

    QList<QLayoutItem*> m_items;
    int m_gap;
};

} // namespace flopsmith::ui
