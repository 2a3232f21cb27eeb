// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history/history_model.h"

#include "core/base/text.h"
#include "ui/theme/utf8.h"

namespace flopsmith::ui {
namespace {

constexpr double kMinShare = 1e-4; ///< a smaller share of the FLOPs says nothing

} // namespace

QString changeText(const StepCost& cost, LensId lens)
{
    if (!cost.before || !cost.after || *cost.before == *cost.after) {
        return {};
    }
    const Count change = *cost.after - *cost.before;
    const QString sign = change < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    const double size = toDouble(change < 0 ? -change : change);
    const QString amount = sign + fromUtf8(rateText(size, flopsmith::lens(lens).unit));
    const double share = *cost.before == 0 ? 0.0 : size / toDouble(*cost.before);
    if (share < kMinShare) {
        return amount;
    }
    return QStringLiteral("%1 \u00B7 %2%3").arg(amount, sign, fromUtf8(percentText(share)));
}

HistoryModel::HistoryModel(Document& document, QObject* parent)
    : QAbstractListModel(parent)
    , m_document(document)
{
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &HistoryModel::refresh);
    connect(&document, &Document::lensChanged, this, &HistoryModel::refresh);
    connect(&document.history(), &EditHistory::gestureEnded, this, &HistoryModel::refresh);
    connect(&document.history(), &EditHistory::bookmarksChanged, this, &HistoryModel::refresh);
}

void HistoryModel::setOpen(bool open)
{
    m_open = open;
    refresh();
}

void HistoryModel::refresh()
{
    if (!m_open && m_rows == 0) {
        return;
    }
    const int wanted = m_open ? m_document.undoStack().count() + 1 : 0;
    if (wanted < m_rows) {
        beginRemoveRows({}, wanted, m_rows - 1);
        m_rows = wanted;
        endRemoveRows();
    } else if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
    if (m_rows > 0) {
        Q_EMIT dataChanged(index(0), index(m_rows - 1));
        Q_EMIT refreshed();
    }
}

int HistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() > m_document.undoStack().count()) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return titleOf(index.row());
    case Qt::EditRole: return m_document.history().bookmark(index.row()).value_or(QString());
    case bookmarkRole: return m_document.history().bookmark(index.row()).has_value();
    case Qt::AccessibleTextRole: return accessibleTextOf(index.row());
    case changeRole: return changeOf(index.row());
    case placeRole: return QVariant::fromValue(placeOf(index.row()));
    default: return {};
    }
}

Qt::ItemFlags HistoryModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = QAbstractListModel::flags(index);
    return m_document.history().bookmark(index.row()) ? all | Qt::ItemIsEditable : all;
}

bool HistoryModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !m_document.history().bookmark(index.row())) {
        return false;
    }
    m_document.history().setBookmark(index.row(), value.toString().trimmed());
    return true;
}

HistoryModel::Place HistoryModel::placeOf(int row) const
{
    const int current = m_document.undoStack().index();
    return row == current ? Place::current : row < current ? Place::done : Place::undone;
}

QString HistoryModel::textOf(int row) const
{
    if (row == 0) {
        return tr("Start");
    }
    QString text = m_document.undoStack().text(row - 1);
    return text.replace(QLatin1String("&&"), QLatin1String("&")); // it was written for menus
}

// The step behind the name of its bookmark.
QString HistoryModel::titleOf(int row) const
{
    const QString name = m_document.history().bookmark(row).value_or(QString());
    return name.isEmpty() ? textOf(row) : QStringLiteral("%1 \u00B7 %2").arg(name, textOf(row));
}

QString HistoryModel::changeOf(int row) const
{
    const std::optional<StepCost> cost = m_document.history().stepCost(row - 1, m_document.lens());
    return cost ? changeText(*cost, m_document.lens()) : QString();
}

QString HistoryModel::accessibleTextOf(int row) const
{
    QStringList said{titleOf(row), changeOf(row)};
    if (m_document.history().bookmark(row)) {
        said << tr("bookmark");
    }
    switch (placeOf(row)) {
    case Place::done: break;
    case Place::current: said << tr("the model now"); break;
    case Place::undone: said << tr("undone"); break;
    }
    said.removeAll(QString());
    return said.join(QStringLiteral(", "));
}

} // namespace flopsmith::ui

#include "moc_history_model.cpp"
