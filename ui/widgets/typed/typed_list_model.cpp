// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/typed/typed_list_model.h"

#include "core/present/base/word_match.h"
#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kTypedRowHeight = 28;
constexpr int kTypedPadding = 10;
constexpr int kTypedGap = 16; ///< between the columns

// The places of a title's bytes as places of its characters.
std::vector<TypedRow::Place> placesIn(const std::string& title,
                                      const std::vector<MatchedPlace>& matched)
{
    const auto characters = [&title](std::size_t bytes) {
        return static_cast<int>(
            QString::fromUtf8(title.data(), static_cast<qsizetype>(bytes)).size());
    };
    std::vector<TypedRow::Place> places;
    for (const MatchedPlace& place : matched) {
        const int start = characters(place.begin);
        places.push_back({start, characters(place.begin + place.length) - start});
    }
    return places;
}

QString accessibleText(const TypedEntry& entry)
{
    QStringList parts{entry.title, entry.detail, entry.keys, entry.refusal};
    parts.removeAll(QString());
    return parts.join(QLatin1String(", "));
}

void paintTitle(QPainter& painter,
                const QRect& place,
                Qt::LayoutDirection direction,
                const TypedRow& row,
                const Theme& theme)
{
    const bool possible = row.entry.refusal.isEmpty();
    painter.setPen(possible ? theme.text : theme.mutedText);
    const QFontMetrics metrics(painter.font());
    if (metrics.horizontalAdvance(row.entry.title) > place.width()) {
        painter.drawText(place,
                         textFlags(Qt::AlignLeft | Qt::AlignVCenter, row.entry.title, direction),
                         metrics.elidedText(row.entry.title, Qt::ElideMiddle, place.width()));
        return;
    }
    QList<QTextLayout::FormatRange> matched;
    for (const TypedRow::Place& letters : row.places) {
        QTextLayout::FormatRange range;
        range.start = letters.start;
        range.length = letters.length;
        range.format.setForeground(possible ? theme.accent : theme.mutedText);
        range.format.setFontUnderline(true);
        matched << range;
    }
    QTextLayout layout(row.entry.title, painter.font());
    layout.setFormats(matched);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    const double free = place.width() - layout.lineAt(0).naturalTextWidth();
    const double left = place.left() + (direction == Qt::RightToLeft ? free : 0.0);
    layout.draw(&painter, QPointF(left, place.top() + (place.height() - metrics.height()) / 2.0));
}

} // namespace

void TypedListModel::show(std::vector<TypedRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int TypedListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant TypedListModel::data(const QModelIndex& index, int role) const
{
    const TypedEntry& entry = m_rows.at(static_cast<std::size_t>(index.row())).entry;
    switch (role) {
    case Qt::DisplayRole: return entry.title;
    case Qt::AccessibleTextRole: return accessibleText(entry);
    default: return {};
    }
}

std::vector<TypedRow> foundRows(const std::vector<TypedEntry>& all, const QString& query)
{
    std::vector<SearchedTitle> titles;
    titles.reserve(all.size());
    for (const TypedEntry& entry : all) {
        SearchedTitle title{entry.title.toStdString(),
                            (entry.detail + QLatin1Char(' ') + entry.words).toStdString()};
        for (const QString& name : entry.names) {
            title.names.push_back(name.toStdString());
        }
        title.isFavoured = entry.fits && entry.refusal.isEmpty();
        titles.push_back(std::move(title));
    }
    std::vector<TypedRow> rows;
    for (const RankedTitle& found : rankedTitles(query.toStdString(), titles)) {
        rows.push_back({all[found.index], placesIn(titles[found.index].title, found.match.places)});
    }
    return rows;
}

TypedListDelegate::TypedListDelegate(const TypedListModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{}

void TypedListDelegate::paint(QPainter* painter,
                              const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const Theme& theme = systemTheme();
    const TypedRow& row = m_model.rows().at(static_cast<std::size_t>(index.row()));
    painter->save();
    painter->setFont(option.font);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, theme.accentSoft);
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(option.rect, theme.fieldHover);
    }
    QRect free = option.rect.adjusted(kTypedPadding, 0, -kTypedPadding, 0);
    const auto shown = [&option](const QRect& place) {
        return QStyle::visualRect(option.direction, option.rect, place);
    };
    const auto takeRight = [&](const QString& text, int maxWidth) {
        if (text.isEmpty() || maxWidth <= 0) {
            return;
        }
        const int whole = option.fontMetrics.horizontalAdvance(text) + 1; // widths are fractions
        const int width = std::min(whole, maxWidth);
        painter->setPen(theme.mutedText);
        painter->drawText(shown(free),
                          textFlags(Qt::AlignRight | Qt::AlignVCenter, text, option.direction),
                          option.fontMetrics.elidedText(text, Qt::ElideRight, width));
        free.setRight(free.right() - width - kTypedGap);
    };
    const int title = option.fontMetrics.horizontalAdvance(row.entry.title) + kTypedGap;
    takeRight(row.entry.keys, free.width());
    takeRight(row.entry.detail, free.width() - title);
    paintTitle(*painter, shown(free), option.direction, row, theme);
    painter->restore();
}

QSize TypedListDelegate::sizeHint(const QStyleOptionViewItem& option,
                                  const QModelIndex& /*index*/) const
{
    return {option.rect.width(), std::max(kTypedRowHeight, option.fontMetrics.height() + 10)};
}

} // namespace flopsmith::ui

#include "moc_typed_list_model.cpp"
