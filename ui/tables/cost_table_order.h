// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace flopsmith::ui {

class CostTableModel;

/// The cost table sorted by any column or in the order of the tree, reduced to the rows whose path
/// contains all words of a filter.
class CostTableOrder : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CostTableOrder(CostTableModel& model, QObject* parent = nullptr);

    void setFilter(const QString& words);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// The heading of the sorted column has an arrow: ↓ for descending order.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    void namesFollow();

    CostTableModel& m_model;
    QStringList m_words;
};

} // namespace flopsmith::ui
