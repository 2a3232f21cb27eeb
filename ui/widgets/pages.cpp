// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pages.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kStripHeight = 30;
constexpr int kTabGap = 6; // between tab bar and page
constexpr int kIndent = 14; // aligned with the text in the panels below
constexpr int kLastKey = 9; // Ctrl+9

} // namespace

Pages::Pages(const QString& name, const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabBar)
    , m_strip(new QHBoxLayout)
    , m_stack(new QStackedWidget(this))
    , m_choice(new QActionGroup(this))
{
    setObjectName(name);
    setAccessibleName(accessibleName);
    auto* strip = new QWidget(this);
    strip->setObjectName(name + QStringLiteral(".strip"));
    strip->setAccessibleName(accessibleName);
    strip->setFixedHeight(std::max(kStripHeight, fontMetrics().height() + 13));
    strip->setLayout(m_strip);
    m_strip->setContentsMargins(0, 0, 0, 0);
    m_strip->setSpacing(8);
    m_strip->addSpacing(kIndent); // which is mirrored, unlike a margin
    m_tabs->setObjectName(name + QStringLiteral(".tabs"));
    m_tabs->setAccessibleName(accessibleName);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // if the tabs do not fit
    m_strip->addWidget(m_tabs);
    m_strip->addStretch(1);
    m_stack->setObjectName(name + QStringLiteral(".stack"));
    m_stack->setAccessibleName(accessibleName);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kTabGap);
    column->addWidget(strip);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &Pages::show);
}

int Pages::addPage(const QString& title, QWidget* page, QWidget* picker)
{
    QString text = title;
    text.replace(QLatin1Char('&'), QLatin1String("&&")); // no mnemonic
    const int number = count();
    if (picker != nullptr) {
        picker->hide();
        m_strip->addWidget(picker);
    }
    m_pickers.push_back(picker);
    m_stack->addWidget(page);
    addPageAction(number, text);
    m_tabs->addTab(text); // the first one becomes the current page
    return number;
}

void Pages::addToStrip(QWidget* widget)
{
    m_strip->addWidget(widget);
}

void Pages::addPageAction(int number, const QString& text)
{
    auto* action = new QAction(text, this);
    action->setObjectName(objectName() + QStringLiteral(".show%1").arg(number + 1));
    action->setCheckable(true);
    if (number < kLastKey) {
        action->setShortcut(QKeySequence(tr("Ctrl+%1").arg(number + 1)));
    }
    m_choice->addAction(action);
    addAction(action);
    connect(action, &QAction::triggered, this, [this, number] {
        setCurrent(number);
        m_tabs->setFocus(); // where arrow keys change the page and Tab enters it
    });
}

int Pages::current() const
{
    return m_tabs->currentIndex();
}

void Pages::setCurrent(int page)
{
    if (m_tabs->isTabVisible(page)) {
        m_tabs->setCurrentIndex(page);
    }
}

void Pages::setHidden(const QStringList& names)
{
    const auto isHidden = [this, &names](int page) {
        return names.contains(m_stack->widget(page)->objectName());
    };
    int first = 0; // that stays
    while (first + 1 < count() && isHidden(first)) {
        ++first;
    }
    for (int page = 0; page < count(); ++page) {
        const bool isShown = page == first || !isHidden(page);
        m_tabs->setTabVisible(page, isShown);
        m_choice->actions().at(page)->setVisible(isShown);
    }
    if (!m_tabs->isTabVisible(current())) {
        setCurrent(first);
    }
}

QString Pages::currentName() const
{
    return m_stack->currentWidget()->objectName();
}

void Pages::setCurrentName(const QString& name)
{
    for (int i = 0; i < count(); ++i) {
        if (m_stack->widget(i)->objectName() == name) {
            setCurrent(i);
        }
    }
}

QWidget& Pages::page(int number)
{
    return *m_stack->widget(number);
}

void Pages::show(int page)
{
    m_stack->setCurrentIndex(page);
    m_tabs->updateGeometry(); // the title of the current page is bold, and wider
    for (int i = 0; i < count(); ++i) {
        if (QWidget* picker = m_pickers[static_cast<std::size_t>(i)]) {
            picker->setVisible(i == page);
        }
    }
    m_choice->actions().at(page)->setChecked(true);
}

} // namespace flopsmith::ui

#include "moc_pages.cpp"
