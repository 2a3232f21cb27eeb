// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStringList>
#include <QStyledItemDelegate>

#include <functional>
#include <vector>

namespace flopsmith::ui {

/// Something that can be found by typing and then run.
struct TypedEntry
{
    QString id{}; ///< the same in every session
    QString title{};
    QString detail{}; ///< a second column: "File › Open recent"
    QString keys{}; ///< "Ctrl+S"
    QString help{}; ///< shown while the entry is the current one
    QString refusal{}; ///< why it cannot be run now, as a sentence; empty if it can
    QString words{}; ///< further words by which it is found
    QStringList names{}; ///< other names, each as good as the title: "moe"
    bool fits = false; ///< it is about what is selected, and comes before others
    std::function<void()> run{};
};

/// A found entry with the places of its title that the query matches.
struct TypedRow
{
    struct Place
    {
        int start = 0;
        int length = 0;
    };

    TypedEntry entry;
    std::vector<Place> places{};
};

/// The found entries, best first.
class TypedListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void show(std::vector<TypedRow> rows);
    const std::vector<TypedRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<TypedRow> m_rows;
};

/// The entries of `all` that match the query, best first.
std::vector<TypedRow> foundRows(const std::vector<TypedEntry>& all, const QString& query);

/// Draws a title with its matched letters highlighted, and on the right detail and keys.
class TypedListDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    TypedListDelegate(const TypedListModel& model, QObject* parent);

    void paint(QPainter* painter,
               const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const TypedListModel& m_model;
};

} // namespace flopsmith::ui
