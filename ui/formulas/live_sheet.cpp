// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/live_sheet.h"

#include "ui/formulas/formula_text.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QAbstractTextDocumentLayout>
#include <QHash>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr std::size_t kMaxHandles = 300; ///< a longer formula is read, not played with

// "formulas.sheet.symbol.f", and "formulas.sheet.symbol.f.2" at its second place.
QString handleName(const QString& sheet, const QString& symbol, int occurrence)
{
    const QString name = sheet + QStringLiteral(".symbol.") + symbol;
    return occurrence == 1 ? name : name + QLatin1Char('.') + QString::number(occurrence);
}

} // namespace

LiveSheet::LiveSheet(Document& document, QWidget* parent)
    : QTextBrowser(parent)
    , m_document(document)
    , m_burst(new EditBurst(document, this))
{
    setFrameShape(QFrame::NoFrame);
    this->document()->setDocumentMargin(0);
    setOpenLinks(false);
    // A change of the type's size lays the text out again.
    connect(this->document()->documentLayout(),
            &QAbstractTextDocumentLayout::documentSizeChanged,
            this,
            &LiveSheet::moveHandles);
}

void LiveSheet::showLive(const QString& html, const std::vector<MovableSymbol>& symbols)
{
    m_placed.clear();
    setHtml(html);
    layHandles(symbols);
}

std::vector<SymbolHandle*> LiveSheet::handles() const
{
    std::vector<SymbolHandle*> shown;
    for (const Placed& placed : m_placed) {
        shown.push_back(placed.handle);
    }
    return shown;
}

void LiveSheet::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    moveHandles();
}

void LiveSheet::scrollContentsBy(int dx, int dy)
{
    QTextBrowser::scrollContentsBy(dx, dy);
    moveHandles();
}

// A letter with a subscript consists of several text fragments with one mark.
std::vector<LiveSheet::Place> LiveSheet::places() const
{
    std::vector<Place> places;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            const QString mark = fragment.charFormat().toolTip();
            if (!mark.startsWith(kSymbolMark)) {
                continue;
            }
            const QString name = mark.mid(kSymbolMark.size());
            const int end = fragment.position() + fragment.length();
            if (!places.empty() && places.back().name == name
                && places.back().end == fragment.position()) {
                places.back().end = end;
            } else {
                places.push_back({name, fragment.position(), end});
            }
        }
    }
    return places;
}

// In the viewport, with a little around it for the pointer and the line below.
QRect LiveSheet::areaOf(const Place& place) const
{
    QTextCursor cursor(document());
    cursor.setPosition(place.first);
    const QRect from = cursorRect(cursor);
    cursor.setPosition(place.end);
    const QRect to = cursorRect(cursor);
    const int width = std::max(6, to.left() - from.left());
    return QRect(from.left(), from.top(), width, from.height()).adjusted(-2, 0, 2, 3);
}

SymbolHandle* LiveSheet::handleFor(const MovableSymbol& symbol, int occurrence)
{
    const QString name = handleName(objectName(), symbol.name, occurrence);
    const auto known =
        std::find_if(m_handles.begin(), m_handles.end(), [&name](const SymbolHandle* handle) {
            return handle->objectName() == name;
        });
    if (known != m_handles.end()) {
        return *known;
    }
    auto* handle = new SymbolHandle(m_document, *m_burst, symbol, viewport());
    handle->setObjectName(name);
    if (occurrence > 1) {
        handle->setFocusPolicy(Qt::ClickFocus); // Tab stops at each letter once
    }
    connect(handle, &SymbolHandle::dragEnded, this, &LiveSheet::hideOthers);
    setTabOrder(m_handles.empty() ? static_cast<QWidget*>(this) : m_handles.back(), handle);
    m_handles.push_back(handle);
    return handle;
}

void LiveSheet::layHandles(const std::vector<MovableSymbol>& symbols)
{
    QHash<QString, int> occurrences;
    for (const Place& place : places()) {
        const auto symbol =
            std::find_if(symbols.begin(), symbols.end(), [&place](const MovableSymbol& each) {
                return each.name == place.name;
            });
        if (symbol != symbols.end() && m_placed.size() < kMaxHandles) {
            SymbolHandle* handle = handleFor(*symbol, ++occurrences[place.name]);
            handle->setGeometry(areaOf(place));
            handle->show(*symbol);
            m_placed.push_back({place, handle});
        }
    }
    hideOthers();
}

// Those of letters that are gone, but for one in the hand.
void LiveSheet::hideOthers()
{
    for (SymbolHandle* handle : m_handles) {
        const bool isPlaced =
            std::any_of(m_placed.begin(), m_placed.end(), [handle](const Placed& placed) {
                return placed.handle == handle;
            });
        if (!isPlaced && !handle->isDragged()) {
            handle->hide();
        }
    }
}

void LiveSheet::moveHandles()
{
    for (const Placed& placed : m_placed) {
        placed.handle->setGeometry(areaOf(placed.place));
    }
}

} // namespace flopsmith::ui

#include "moc_live_sheet.cpp"
