// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/notes/note_column.h"

#include "core/present/stack/note_cards.h"
#include "ui/canvas/notes/note_card_view.h"
#include "ui/theme/opaque.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kLineWidth = 16; // pixels between the stack and the cards
constexpr int kRightMargin = 4;
constexpr double kCardGap = 8.0;
constexpr double kTop = 4.0;
constexpr double kLead = 12.0; // below a card's top, where its line meets it

} // namespace

NoteColumn::NoteColumn(QWidget& viewport, QWidget* parent)
    : QWidget(parent)
    , m_viewport(viewport)
{
    setObjectName(QStringLiteral("stack.notes"));
    setAccessibleName(tr("Notes beside the stack"));
    setLayoutDirection(Qt::LeftToRight); // as the stack
    paintOpaque(*this);
}

void NoteColumn::setNotes(std::vector<ShownNote> notes)
{
    if (notes == m_notes) {
        return;
    }
    const bool areOthers = notes.size() != m_notes.size();
    m_notes = std::move(notes);
    if (areOthers) {
        for (NoteCardView* card : m_cards) {
            card->disconnect(this); // it may lose the focus now
            card->hide();
            card->deleteLater();
        }
        m_cards.clear();
        for (std::size_t card = 0; card < m_notes.size(); ++card) {
            addCard(card);
        }
    }
    for (std::size_t card = 0; card < m_notes.size(); ++card) {
        m_cards[card]->setNote(m_notes[card].about, m_notes[card].text);
    }
    layOut();
}

void NoteColumn::addCard(std::size_t card)
{
    const QString name = QStringLiteral("stack.note.%1").arg(card);
    auto* made = new NoteCardView(name, this);
    const int index = static_cast<int>(card);
    const auto noteOf = [this, card] { return m_notes[card].note; };
    connect(made, &NoteCardView::typed, this, [this, noteOf](const QString& text) {
        Q_EMIT typed(noteOf(), text);
    });
    connect(made, &NoteCardView::cancelled, this, [this, noteOf] { Q_EMIT cancelled(noteOf()); });
    connect(made, &NoteCardView::deletionRequested, this, [this, noteOf] {
        Q_EMIT deletionRequested(noteOf());
    });
    connect(made, &NoteCardView::chosen, this, [this, index] { bringIntoView(index); });
    connect(made, &NoteCardView::heightChanged, this, &NoteColumn::layOut);
    connect(made, &NoteCardView::stepRequested, this, [this, index](int by) { step(index, by); });
    m_cards.push_back(made);
    made->setVisible(true);
}

void NoteColumn::layOut()
{
    if (m_cards.size() != m_notes.size()) {
        return; // while the cards are made
    }
    const double before = bottom();
    const int cardWidth = std::max(1, width() - kLineWidth - kRightMargin);
    std::vector<NoteCard> cards;
    for (std::size_t card = 0; card < m_notes.size(); ++card) {
        cards.push_back({.at = m_notes[card].at,
                         .height = static_cast<double>(m_cards[card]->heightFor(cardWidth))});
    }
    m_spans = noteSpans(cards, kLead, kCardGap, kTop);
    place();
    if (bottom() != before) {
        Q_EMIT bottomChanged();
    }
}

void NoteColumn::place()
{
    for (int card = 0; card < count(); ++card) {
        m_cards[static_cast<std::size_t>(card)]->setGeometry(placeOf(card));
    }
    update();
}

QRect NoteColumn::placeOf(int card) const
{
    const ColumnSpan& span = m_spans[static_cast<std::size_t>(card)];
    return {kLineWidth,
            qRound(span.top) - m_scroll,
            std::max(1, width() - kLineWidth - kRightMargin),
            qRound(span.height())};
}

double NoteColumn::bottom() const
{
    double bottom = 0.0;
    for (const ColumnSpan& span : m_spans) {
        bottom = std::max(bottom, span.bottom);
    }
    return m_notes.empty() ? 0.0 : bottom + kTop;
}

void NoteColumn::setScroll(int scroll)
{
    if (scroll != m_scroll) {
        m_scroll = scroll;
        place();
    }
}

void NoteColumn::edit(int note)
{
    for (std::size_t card = 0; card < m_notes.size(); ++card) {
        if (m_notes[card].note == note) {
            bringIntoView(static_cast<int>(card));
            m_cards[card]->edit();
            return;
        }
    }
}

bool NoteColumn::isEditing() const
{
    return std::any_of(
        m_cards.begin(), m_cards.end(), [](const NoteCardView* card) { return card->isEditing(); });
}

void NoteColumn::bringIntoView(int card)
{
    const QRect place = placeOf(card);
    if (place.top() < 0) {
        Q_EMIT scrollRequested(m_scroll + place.top() - static_cast<int>(kTop));
    } else if (place.bottom() > height()) {
        Q_EMIT scrollRequested(m_scroll + std::min(place.top(), place.bottom() - height()));
    }
}

void NoteColumn::step(int card, int by)
{
    const int next = card + by;
    if (by == 0) {
        Q_EMIT left();
    } else if (next >= 0 && next < count()) {
        m_cards[static_cast<std::size_t>(next)]->setFocus(Qt::TabFocusReason);
    }
}

void NoteColumn::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void NoteColumn::wheelEvent(QWheelEvent* event)
{
    QApplication::sendEvent(&m_viewport, event);
}

void NoteColumn::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.mutedText, 1.0));
    for (int card = 0; card < count(); ++card) {
        const ShownNote& shown = m_notes[static_cast<std::size_t>(card)];
        if (shown.hasLine) {
            const QRect place = placeOf(card);
            painter.drawLine(QPointF(0.0, shown.at - m_scroll),
                             QPointF(place.left(), place.top() + kLead));
        }
    }
}

} // namespace flopsmith::ui

#include "moc_note_column.cpp"
