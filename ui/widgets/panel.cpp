// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"

#include "ui/theme/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kHeadHeight = 28;
constexpr int kMargin = 14;
constexpr int kTitleCharacters = 10; ///< that are shown before the note takes their place

} // namespace

Panel::Panel(const QString& name, const QString& title, QWidget* parent)
    : QFrame(parent)
    , m_headBox(new QWidget(this))
    , m_head(new QHBoxLayout)
    , m_column(new QVBoxLayout(this))
    , m_title(new ElidedLabel(ElidedLabel::Role::title, Qt::AlignLeft, this))
{
    setObjectName(QStringLiteral("panel.") + name);
    setProperty("panel", true);
    m_title->setObjectName(QStringLiteral("panel.%1.title").arg(name));
    setTitle(title);
    m_head->setSpacing(8);
    m_head->addWidget(m_title, 1);
    m_column->setContentsMargins(kMargin, 8, kMargin, 10);
    m_column->setSpacing(6);
    m_headBox->setObjectName(QStringLiteral("panel.%1.head").arg(name));
    m_headBox->setAccessibleName(title);
    m_headBox->setLayout(m_head);
    m_head->setContentsMargins(0, 0, 0, 0);
    m_column->addWidget(m_headBox);
    fitHead();
}

void Panel::fitHead()
{
    m_headBox->setFixedHeight(std::max(kHeadHeight, fontMetrics().height() + 11));
}

void Panel::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitHead();
    }
}

void Panel::setTitle(const QString& title)
{
    m_title->setText(title);
    m_title->setMinimumWidth(
        std::min(m_title->sizeHint().width(), kTitleCharacters * fontMetrics().averageCharWidth()));
    setAccessibleName(title);
}

void Panel::setNote(const QString& note)
{
    if (m_note == nullptr && note.isEmpty()) {
        return;
    }
    if (m_note == nullptr) {
        m_note = new ElidedLabel(ElidedLabel::Role::muted, Qt::AlignRight, this);
        m_note->setObjectName(objectName() + QStringLiteral(".note"));
        m_head->setStretchFactor(m_title, 0); // the note is elided first
        m_head->addWidget(m_note, 1);
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void Panel::addToHead(QWidget* widget)
{
    m_head->addWidget(widget);
}

void Panel::addBesideTitle(QWidget* widget)
{
    m_head->insertWidget(1, widget);
}

void Panel::replaceTitle(QWidget* widget)
{
    m_title->hide();
    m_head->insertWidget(0, widget);
    m_head->insertStretch(1, 1);
}

void Panel::setBody(QWidget* body)
{
    m_column->addWidget(body, 1);
}

} // namespace flopsmith::ui

#include "moc_panel.cpp"
