// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/find/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kFindMargin = 6;
constexpr int kFindLetters = 44; ///< width of the bar

} // namespace

FindBar::FindBar(QWidget& parent)
    : QFrame(&parent)
    , m_box(new QLineEdit(this))
    , m_result(new QLabel(this))
{
    setObjectName(QStringLiteral("stack.findBar"));
    setAccessibleName(tr("Find in the stack"));
    setProperty("panel", true);
    setProperty("takesEscape", true);
    m_box->setObjectName(QStringLiteral("stack.findBar.box"));
    m_box->setAccessibleName(tr("Text to find in the stack"));
    m_box->setTextMargins(kFindMargin, 0, kFindMargin, 0);
    m_box->setPlaceholderText(tr("attention, heads 12, 3072"));
    m_result->setObjectName(QStringLiteral("stack.findBar.result"));
    m_result->setAccessibleName(tr("Found"));
    m_result->setProperty("role", QStringLiteral("muted"));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    line->addWidget(m_box, 1);
    addButton(*line, QStringLiteral("previous"), tr("‹"), tr("Previous"), &FindBar::previous);
    addButton(*line, QStringLiteral("next"), tr("›"), tr("Next"), &FindBar::next);
    addButton(*line, QStringLiteral("close"), tr("×"), tr("Close"), &FindBar::leave);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kFindMargin, kFindMargin, kFindMargin, kFindMargin);
    column->setSpacing(2);
    column->addLayout(line);
    column->addWidget(m_result);
    connect(m_box, &QLineEdit::textChanged, this, &FindBar::queryChanged);
    hide();
}

void FindBar::addButton(QBoxLayout& line,
                        const QString& name,
                        const QString& text,
                        const QString& accessibleName,
                        void (FindBar::*pressed)())
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("stack.findBar.") + name);
    button->setText(text);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, pressed);
    line.addWidget(button);
}

QString FindBar::query() const
{
    return m_box->text();
}

void FindBar::open()
{
    show();
    fit(m_area);
    raise();
    m_box->selectAll();
    m_box->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::say(const QString& text)
{
    m_result->setText(text);
    m_result->setAccessibleDescription(text);
    m_result->setVisible(!text.isEmpty());
    m_box->setAccessibleDescription(text);
    fit(m_area);
}

QString FindBar::resultText() const
{
    return m_result->text();
}

void FindBar::fit(const QRect& area)
{
    m_area = area;
    const int width =
        std::min(kFindLetters * fontMetrics().averageCharWidth(), area.width() - 2 * kFindMargin);
    const int inside = width - 2 * (kFindMargin + frameWidth());
    const int line = layout()->itemAt(0)->sizeHint().height(); // of the box and its buttons
    int height = 2 * (kFindMargin + frameWidth()) + line;
    if (!m_result->text().isEmpty()) {
        height += 2 + m_result->heightForWidth(inside);
    }
    setGeometry(area.right() - width - kFindMargin, area.top() + kFindMargin, width, height);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape: leave(); break;
    case Qt::Key_Up: previous(); break;
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter: next(); break;
    default: break;
    }
    event->accept(); // the stack below does not get what is typed here
}

} // namespace flopsmith::ui

#include "moc_find_bar.cpp"
