// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table/figures_view.h"

#include "ui/theme/part_delegate.h"
#include "ui/theme/type_scale.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <numeric>
#include <vector>

namespace flopsmith::ui {
namespace {

constexpr int kRowHeight = 26; ///< of the usual type, as all sizes here
constexpr int kCellPadding = 18;
constexpr int kMinWords = 90; ///< of a column of words that is elided
constexpr int kMinNames = 110;
constexpr int kWidestNames = 300;
constexpr int kWidestFigures = 150; ///< of figures on a wide screen: not far from their names
constexpr int kMeasuredRows = 200; ///< looked at for the width of a column

void setUp(QTableView& view)
{
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::ExtendedSelection);
    view.setTabKeyNavigation(false);
    view.setFrameShape(QFrame::NoFrame);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setCornerButtonEnabled(false);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.horizontalHeader()->setHighlightSections(false);
}

bool isOfWords(const QAbstractItemModel& model, int column)
{
    const auto side = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    return (side & Qt::AlignLeft) != 0;
}

// Takes from the widest columns of words what all columns are too wide, and only then from the names.
void elide(std::vector<int>& widths, const std::vector<int>& least, int available)
{
    constexpr int kStep = 4;
    const auto takeFrom = [&](std::size_t first, std::size_t end) {
        while (std::accumulate(widths.begin(), widths.end(), 0) > available) {
            std::size_t widest = end;
            for (std::size_t i = first; i < end; ++i) {
                if (widths[i] > least[i] && (widest == end || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest == end) {
                return;
            }
            widths[widest] = std::max(least[widest], widths[widest] - kStep);
        }
    };
    takeFrom(1, widths.size());
    takeFrom(0, 1);
}

} // namespace

FiguresView::FiguresView(const QString& name, QWidget* parent)
    : QTableView(parent)
    , m_names(new QTableView(this))
{
    setObjectName(name);
    setUp(*this);
    verticalHeader()->setDefaultSectionSize(scaledToType(kRowHeight, *this));
    setItemDelegate(new PartDelegate(this));
    createNames();
}

// It takes no focus and nobody reads it twice: it is a picture of the first column.
void FiguresView::createNames()
{
    setUp(*m_names);
    m_names->setObjectName(objectName() + QStringLiteral(".names"));
    m_names->setAccessibleName(tr("Names of the rows"));
    m_names->setFocusPolicy(Qt::NoFocus);
    m_names->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_names->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_names->setItemDelegate(itemDelegate());
    m_names->hide();
    connect(verticalScrollBar(),
            &QScrollBar::valueChanged,
            m_names->verticalScrollBar(),
            &QScrollBar::setValue);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, &FiguresView::placeNames);
}

void FiguresView::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    m_names->setModel(model);
    m_names->setSelectionModel(selectionModel());
    connect(model, &QAbstractItemModel::modelReset, this, &FiguresView::placeNames);
}

void FiguresView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange && m_names != nullptr) {
        verticalHeader()->setDefaultSectionSize(scaledToType(kRowHeight, *this));
        m_names->setFont(font());
        placeNames();
    }
    QTableView::changeEvent(event);
}

void FiguresView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (!m_fitted.isEmpty()) {
        fitColumns();
    }
    placeNames();
}

void FiguresView::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    if (dx != 0) {
        placeNames();
    }
}

// Shown only while the first column is scrolled away.
void FiguresView::placeNames()
{
    const bool isScrolled = horizontalScrollBar()->value() > 0 && model() != nullptr;
    m_names->setVisible(isScrolled);
    if (!isScrolled) {
        return;
    }
    for (int column = 1; column < model()->columnCount(); ++column) {
        m_names->setColumnHidden(column, true);
    }
    const QRect shown = viewport()->geometry();
    const int head = horizontalHeader()->height();
    m_names->setColumnWidth(0, columnWidth(0));
    m_names->horizontalHeader()->setFixedHeight(head);
    m_names->verticalHeader()->setDefaultSectionSize(verticalHeader()->defaultSectionSize());
    m_names->setGeometry(shown.left(), shown.top() - head, columnWidth(0), shown.height() + head);
    m_names->verticalScrollBar()->setValue(verticalScrollBar()->value());
    m_names->raise();
}

int FiguresView::neededWidth(int column) const
{
    const QAbstractItemModel& shown = *model();
    const QFontMetrics headMetrics(horizontalHeader()->font());
    int widest = 0;
    const QString head = shown.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const QString& line : head.split(QLatin1Char('\n'))) {
        widest = std::max(widest, headMetrics.horizontalAdvance(line));
    }
    for (int row = 0; row < std::min(shown.rowCount(), kMeasuredRows); ++row) {
        const QModelIndex index = shown.index(row, column);
        const QVariant font = index.data(Qt::FontRole);
        const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : this->font());
        const QStringList fractions = index.data(partFractionRole).toStringList();
        const int beyond = fractions.size() == 2 ? metrics.horizontalAdvance(fractions.front())
                - metrics.horizontalAdvance(fractions.back())
                                                 : 0;
        const int edge = index.data(partColourRole).value<QColor>().isValid() ? 11 : 0;
        const int indent = 14 * index.data(partIndentRole).toInt();
        const int text = metrics.horizontalAdvance(index.data().toString());
        widest = std::max(widest, text + beyond + edge + indent);
    }
    return widest;
}

// At least as wide as before, so that columns are still while figures change.
std::vector<int> FiguresView::neededWidths()
{
    QString fitted = QString::number(viewport()->width()) + QString::number(fontMetrics().height());
    for (int column = 0; column < model()->columnCount(); ++column) {
        fitted += model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    if (fitted != m_fitted) {
        m_needed.assign(static_cast<std::size_t>(model()->columnCount()), 0);
        m_fitted = fitted;
    }
    for (std::size_t i = 0; i < m_needed.size(); ++i) {
        m_needed[i] = std::max(m_needed[i], neededWidth(static_cast<int>(i)));
    }
    return m_needed;
}

void FiguresView::fitColumns()
{
    const int columns = model() == nullptr ? 0 : model()->columnCount();
    if (columns == 0) {
        return;
    }
    const auto scaled = [this](int pixels) { return scaledToType(pixels, *this); };
    const int available = viewport()->width();
    std::vector<int> widths = neededWidths();
    std::vector<int> least;
    for (int column = 0; column < columns; ++column) {
        int& width = widths[static_cast<std::size_t>(column)];
        width += scaled(kCellPadding);
        const int elided = scaled(column == 0 ? kMinNames : kMinWords);
        least.push_back(isOfWords(*model(), column) ? std::min(width, elided) : width);
    }
    const int names = std::min(widths.front(), std::max(scaled(kWidestNames), available / 3));
    widths.front() = names;
    elide(widths, least, available);
    const int all = std::accumulate(widths.begin(), widths.end(), 0);
    if (all > available) { // it scrolls anyway
        widths.front() = std::min(names, std::max(widths.front(), available * 2 / 5));
    }
    const int more = std::max(0, (available - all) / columns);
    for (int column = 0; column < columns; ++column) {
        const int width = widths[static_cast<std::size_t>(column)];
        const int widest =
            isOfWords(*model(), column) ? width + more : std::max(width, scaled(kWidestFigures));
        setColumnWidth(column, std::min(width + more, widest));
    }
    placeNames();
}

std::vector<int> FiguresView::chosenRows() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        rows.push_back(index.row());
    }
    std::sort(rows.begin(), rows.end()); // not in the order of the clicks
    if (rows.empty()) {
        rows.resize(static_cast<std::size_t>(model()->rowCount()));
        std::iota(rows.begin(), rows.end(), 0);
    }
    return rows;
}

} // namespace flopsmith::ui

#include "moc_figures_view.cpp"
