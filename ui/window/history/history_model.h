// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QAbstractListModel>

namespace flopsmith::ui {

/// The states that undo and redo reach, oldest first: row 0 is the model at the start, row n the
/// model after n steps. A step's change of FLOPs is counted when a view first reads it.
class HistoryModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        changeRole = Qt::UserRole, ///< QString: "−12.3 GFLOPs · −4.0 %", or empty
        placeRole, ///< Place
        bookmarkRole, ///< bool
    };
    enum class Place { done, current, undone };

    explicit HistoryModel(Document& document, QObject* parent = nullptr);

    /// While closed it has no rows.
    void setOpen(bool open);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// The name of a bookmark is edited in its row; an empty one leaves the star alone.
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    /// Rows were added, removed or changed.
    void refreshed();

private:
    void refresh();
    Place placeOf(int row) const;
    QString textOf(int row) const;
    QString titleOf(int row) const;
    QString changeOf(int row) const;
    QString accessibleTextOf(int row) const;

    Document& m_document;
    bool m_open = false;
    int m_rows = 0;
};

/// A change of FLOPs in the lens's unit and as a share of what it was: "−12.3 GFLOPs · −4.0 %".
/// Empty where nothing changed.
QString changeText(const StepCost& cost, LensId lens);

} // namespace flopsmith::ui
