// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/find_bar.h"
#include "ui/canvas/minimap.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_accessible.h"
#include "ui/canvas/stack_explanation.h"
#include "ui/canvas/zoomed_painter.h"
#include "ui/theme/opaque.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QGraphicsItem>
#include <QPainter>
#include <QRubberBand>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

QFont titleFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

Selection selectionOf(const StackRow& row)
{
    switch (row.kind) {
    case StackRow::Kind::embedding: return Selection::of(Selection::Part::embedding);
    case StackRow::Kind::run: return Selection::ofRun(row.run);
    case StackRow::Kind::encoderNorm: return Selection::of(Selection::Part::encoderNorm);
    case StackRow::Kind::finalNorm: return Selection::of(Selection::Part::finalNorm);
    case StackRow::Kind::head: return Selection::of(Selection::Part::head);
    }
    return {};
}

QString accessibleRow(const StackRow& row)
{
    QString text = QString::fromStdString(row.title);
    if (!row.patternText.empty()) {
        text += QStringLiteral(", ") + QString::fromStdString(row.patternText);
    }
    for (const StackPart& part : row.parts) {
        const QString title = QString::fromStdString(part.title);
        const QString cost = QString::fromStdString(part.bar.text);
        text += title == text ? QStringLiteral(" %1").arg(cost)
                              : QStringLiteral(", %1 %2").arg(title, cost);
    }
    return text;
}

} // namespace

// Draws one row; the item after the last row is the drop target at the end of the stack.
class StackView::RowItem : public QGraphicsItem
{
public:
    RowItem(StackView& view, int row)
        : m_view(view)
        , m_row(row)
    {}

    QRectF boundingRect() const override
    {
        return m_view.placeOf(m_row).adjusted(0, 0, 0, m_view.m_drag->mostShift());
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        m_view.m_drag->paintParted(*painter, m_row, m_view.placeOf(m_row), [this, painter] {
            m_view.paint(*painter, m_row);
        });
    }

private:
    StackView& m_view;
    int m_row;
};

StackView::StackView(Document& document, QWidget* parent)
    : QGraphicsView(parent)
    , m_document(document)
    , m_actions(document, *this)
    , m_zoomActions(*this)
    , m_find(new FindBar(*this))
    , m_minimap(new Minimap(m_picture, m_geometry, this))
    , m_column(new DesignColumn(*viewport(), this))
    , m_notes(new NoteColumn(*viewport(), this))
    , m_band(new QRubberBand(QRubberBand::Rectangle, viewport()))
    , m_drag(new StackDrag(document, *this))
    , m_update([this] { readDocument(); })
{
    installStackAccessibility(); // before the first event that makes an interface
    setObjectName(QStringLiteral("stack"));
    setAccessibleName(tr("Stack of blocks"));
    viewport()->setObjectName(QStringLiteral("stack.viewport"));
    viewport()->setAccessibleName(tr("Blocks"));
    m_band->setObjectName(QStringLiteral("stack.band"));
    m_band->setAccessibleName(tr("Selects the blocks that it touches"));
    setScene(&m_scene);
    setFrameShape(QFrame::NoFrame);
    setLayoutDirection(Qt::LeftToRight); // a diagram of figures and bars, as the charts
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    viewport()->setAutoFillBackground(false);
    paintOpaque(*viewport());
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(300, 120);
    connectChooser();
    connectFind();
    connectZoom();
    connectMinimap();
    connectColumn();
    connectNotes();
    connectDrag();
    connect(&document, &Document::scenarioChanged, this, &StackView::follow);
    connect(&document, &Document::lensChanged, this, &StackView::follow);
    connect(&document, &Document::selectionChanged, this, &StackView::followSelection);
    readDocument();
}

void StackView::refresh()
{
    m_update.flush();
    if (m_isStale) {
        readDocument();
    }
}

// Behind the inside of a block nothing is drawn, so nothing is computed.
void StackView::follow()
{
    if (isVisible()) {
        m_update.request();
    } else {
        m_isStale = true;
    }
}

void StackView::followSelection()
{
    if (!isVisible()) {
        m_isStale = true;
        return;
    }
    refresh();
    showSelected();
    viewport()->update();
    markInMinimap();
    updateAccessibleText();
    announceCurrentRow(*this);
    sayFound();
}

void StackView::readDocument()
{
    m_isStale = false;
    m_opened.clear();
    const StackPicture before = std::exchange(
        m_picture, stackPicture(m_document.scenario(), m_document.costTree(), m_document.lens()));
    alignColumn();
    if (!layOut()) {
        repaintChanged(before);
    }
    showNotes();
    markInMinimap();
    updateAccessibleText();
    sayFound();
    if (m_picture.note != before.note) {
        Q_EMIT noteChanged(note());
    }
}

// If nothing has moved, only rows that have changed are repainted.
void StackView::repaintChanged(const StackPicture& before)
{
    if (m_geometry.detail == StackDetail::operations) { // which can change while their sum does not
        viewport()->update();
        return;
    }
    const QRectF visible = mapToScene(viewport()->rect()).boundingRect();
    if (m_picture.patterns != before.patterns) {
        viewport()->update();
    }
    for (std::size_t i = 0; i < m_picture.rows.size(); ++i) {
        const QRectF place = placeOf(static_cast<int>(i));
        if (place.intersects(visible) && m_picture.rows[i] != before.rows[i]) {
            viewport()->update(mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1));
        }
    }
}

// Bounding rectangle of the row's item, including the line from the row above.
QRectF StackView::placeOf(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    QRectF frame = m_geometry.dropZone;
    qreal above = m_geometry.gap;
    if (index < m_geometry.rows.size()) {
        frame = m_geometry.rows[index].frame;
        frame.setTop(topOf(index));
        above = index > 0 ? std::max(above, topOf(index) - bottomOf(index - 1)) : above;
    }
    return frame.adjusted(-2, -above - 2, 2, 2);
}

// Of the row's frame, or of the pattern that it begins.
qreal StackView::topOf(std::size_t row) const
{
    const int index = m_picture.rows[row].pattern;
    const auto pattern = static_cast<std::size_t>(index);
    const bool begins = index >= 0 && m_picture.patterns[pattern].firstRow == static_cast<int>(row);
    return begins ? m_geometry.patterns[pattern].frame.top() : m_geometry.rows[row].frame.top();
}

// Of the row's frame, or of the pattern that it closes.
qreal StackView::bottomOf(std::size_t row) const
{
    const int index = m_picture.rows[row].pattern;
    const auto pattern = static_cast<std::size_t>(index);
    const bool closes = index >= 0 && m_picture.patterns[pattern].lastRow == static_cast<int>(row);
    return closes ? m_geometry.patterns[pattern].frame.bottom()
                  : m_geometry.rows[row].frame.bottom();
}

// Whether anything has moved, so that everything is repainted.
bool StackView::layOut()
{
    StackGeometry laidOut =
        stackGeometry(m_picture, viewport()->size(), titleFont(font()), chipFont(font()), m_zoom);
    makeWay(laidOut);
    const StackGeometry before = std::exchange(m_geometry, std::move(laidOut));
    if (before == m_geometry) {
        return false;
    }
    if (before.size != m_geometry.size || before.rows.size() != m_geometry.rows.size()
        || !m_groups.empty()) { // rows have given way elsewhere
        rebuildItems();
    }
    showNotes();
    viewport()->update();
    return true;
}

double StackView::fitting(const RowRange& rows, double most) const
{
    return fittingZoom(m_picture, viewport()->size(), titleFont(font()), rows, most);
}

void StackView::rebuildItems()
{
    m_scene.clear();
    boundScene();
    for (int row = 0; row <= static_cast<int>(m_geometry.rows.size()); ++row) {
        m_scene.addItem(new RowItem(*this, row));
    }
}

void StackView::updateAccessibleText()
{
    QStringList rows;
    for (const StackRow& row : m_picture.rows) {
        rows << accessibleRow(row);
    }
    const int selected = selectedRow();
    const QString chosen = selected >= 0 ? rows.value(selected) : QString();
    setAccessibleDescription(
        tr("%1: %2. All: %3").arg(selectedText(), chosen, rows.join(QStringLiteral("; "))));
    setWhatsThis(selected < 0 ? QString()
                              : whatIs(m_document.model(),
                                       m_picture.rows[static_cast<std::size_t>(selected)]));
}

// "Selected", or how many blocks are and that one of the runs follows.
QString StackView::selectedText() const
{
    const Selection& selection = m_document.selection();
    return selection.isSeveral() ? tr("%1 blocks in %2 runs selected, the current one")
                                       .arg(blocksIn(m_document.scenario(), selection.runs()))
                                       .arg(selection.runs().size())
                                 : tr("Selected");
}

void StackView::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, systemTheme(QApplication::palette()).panel);
    m_paintedCurrent = selectedRow(); // searched once for all rows that are painted now
    paintPatterns(*painter, rect);
}

// The pattern of the current row says what an edit of it changes.
void StackView::paintPatterns(QPainter& painter, const QRectF& exposed) const
{
    const StackRow* current = m_paintedCurrent < 0
        ? nullptr
        : &m_picture.rows[static_cast<std::size_t>(m_paintedCurrent)];
    painter.setFont(font());
    for (std::size_t i = 0; i < m_geometry.patterns.size(); ++i) {
        const StackPattern& shown = m_picture.patterns[i];
        const bool holds = current != nullptr && current->pattern == static_cast<int>(i);
        if (m_geometry.patterns[i].frame.intersects(exposed)) {
            paintPattern(painter,
                         shown,
                         m_geometry.patterns[i],
                         QString::fromStdString(holds ? current->patternText : shown.title),
                         holds,
                         systemTheme(QApplication::palette()));
        }
    }
}

bool StackView::isRowSelected(int row) const
{
    return row == selectedRow() || m_document.selection().contains(runOf(row));
}

RowLook StackView::lookOf(int row) const
{
    RowLook look;
    look.selected = row == m_paintedCurrent || m_document.selection().contains(runOf(row));
    look.focused = row == m_paintedCurrent && hasFocus();
    if (m_drop && m_drop->row == row) {
        look.dropPart = m_drop->part;
        look.dropRow = true;
        look.dropText = m_dropText;
    }
    return look;
}

void StackView::paint(QPainter& painter, int row) const
{
    const Theme& theme = systemTheme(QApplication::palette());
    painter.setFont(font());
    const auto index = static_cast<std::size_t>(row);
    const bool atEnd = index >= m_geometry.rows.size();
    const QRectF frame = atEnd ? m_geometry.dropZone : m_geometry.rows[index].frame;
    if (row > 0 && !atEnd && m_geometry.detail != StackDetail::bars) {
        const qreal above = bottomOf(index - 1);
        const qreal middle = std::round(frame.center().x());
        painter.fillRect(QRectF(middle - 0.5, above, 1.5, topOf(index) - above), theme.mutedText);
    }
    if (!atEnd && !m_geometry.rows[index].bars.empty()) {
        paintRowAsBar(painter, m_picture.rows[index], m_geometry.rows[index], lookOf(row), theme);
    } else if (atEnd) {
        paintDropZone(painter, frame, m_drop && m_drop->row == row, theme);
    } else {
        paintRow(painter, m_picture.rows[index], m_geometry.rows[index], lookOf(row), theme);
        paintOperationsOf(painter, row);
    }
}

int StackView::rowAt(const QPoint& place) const
{
    const QPointF at = mapToScene(place);
    const qreal slop = m_geometry.gap / 2.0;
    for (std::size_t i = 0; i < m_geometry.rows.size(); ++i) {
        if (m_geometry.rows[i].frame.adjusted(0, -slop, 0, slop).contains(at)) {
            return static_cast<int>(i);
        }
    }
    return m_geometry.dropZone.contains(at) ? static_cast<int>(m_geometry.rows.size()) : -1;
}

int StackView::selectedRow() const
{
    for (std::size_t i = 0; i < m_picture.rows.size(); ++i) {
        if (selectionOf(m_picture.rows[i]) == m_document.selection().current()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void StackView::selectRow(int row)
{
    if (row >= 0 && row < static_cast<int>(m_picture.rows.size())) {
        m_document.select(selectionOf(m_picture.rows[static_cast<std::size_t>(row)]));
    }
}

int StackView::runOf(int row) const
{
    const bool exists = row >= 0 && row < static_cast<int>(m_picture.rows.size());
    const auto index = static_cast<std::size_t>(row);
    return exists && m_picture.rows[index].kind == StackRow::Kind::run ? m_picture.rows[index].run
                                                                       : -1;
}

void StackView::moveSelection(int by)
{
    const int last = static_cast<int>(m_picture.rows.size()) - 1;
    selectRow(std::clamp(selectedRow() + by, 0, last));
}

void StackView::showSelected()
{
    showRow(selectedRow());
}

void StackView::showRow(int row)
{
    if (row >= 0) {
        ensureVisible(m_geometry.rows[static_cast<std::size_t>(row)].frame, 0, 6);
    }
}

void StackView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    layOut();
    placeMinimap();
    m_find->fit(viewport()->geometry());
}

// The size is known only now: before, the selected row would be shown in a view of a few lines.
void StackView::showEvent(QShowEvent* event)
{
    QGraphicsView::showEvent(event);
    if (m_isStale) {
        readDocument();
        showSelected();
    }
}

void StackView::focusInEvent(QFocusEvent* event)
{
    QGraphicsView::focusInEvent(event);
    announceCurrentRow(*this);
    viewport()->update();
}

void StackView::focusOutEvent(QFocusEvent* event)
{
    QGraphicsView::focusOutEvent(event);
    m_drag->cancel();
    viewport()->update();
}

void StackView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::PaletteChange) {
        layOut();
        m_minimap->update();
        viewport()->update(); // the colours have changed, even if nothing has moved
    }
}

} // namespace flopsmith::ui
