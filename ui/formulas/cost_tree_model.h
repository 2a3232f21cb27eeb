// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/lens.h"
#include "core/model/model.h"

#include <QAbstractItemModel>
#include <QColor>

#include <vector>

namespace flopsmith::ui {

/// The parts of a model as a tree model: each part's name and its cost under the lens, over all its
/// uses. The whole model is the single top row.
class CostTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { part, figure };
    enum Role {
        pathRole = Qt::UserRole, ///< QString: for formulaOf(), empty for the whole model
        // followed by the roles of PartDelegate
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// Shows these figures. If the parts are the same as before, the model is not reset.
    void show(const Scenario& scenario, const CostTree<Count>& tree, LensId id);

    QModelIndex indexOf(const QString& path, int column = part) const;

    /// The row of this path is the selected operation; screen readers announce it.
    void setSelected(const QString& path);

    QModelIndex index(int place, int column, const QModelIndex& above = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& above = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        QString name;
        QString path;
        QString figure; ///< "80.9 G"
        QString exact; ///< all digits, for a tool tip
        QString component;
        QColor colour;
        QVariant share;
        int parent = -1;
        int place = 0; ///< index among its parent's children
        std::vector<int> children{};
    };

    static std::vector<Row> rowsOf(const Scenario& scenario,
                                   const CostTree<Count>& tree,
                                   LensId id);
    bool hasShapeOf(const std::vector<Row>& rows) const;
    const Row& row(const QModelIndex& index) const;

    std::vector<Row> m_rows; ///< parallel to the nodes of the cost tree
    QString m_unit;
    QString m_selected; ///< path; empty: no selection
};

} // namespace flopsmith::ui
