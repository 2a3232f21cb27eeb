// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/bar_menus.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/window/bars/bar_button.h"
#include "ui/window/bars/bar_folding.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace flopsmith::ui {

BarMenus::BarMenus(QWidget& bar, QHBoxLayout& line, BarFolding& folding)
    : QObject(&bar)
    , m_bar(bar)
    , m_folding(folding)
    , m_line(new QHBoxLayout)
    , m_folded(barButton(QStringLiteral("menus"), tr("Menus"), bar))
{
    m_line->setSpacing(2);
    line.addLayout(m_line);
    m_folded->setToolTip(tr("File, Edit, View, Teach, Help"));
    m_folded->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_folded);
    menu->setObjectName(QStringLiteral("bar.menus.menu"));
    menu->setAccessibleName(tr("Menus"));
    m_folded->setMenu(menu);
    m_folded->hide();
    line.addWidget(m_folded);
    folding.showFrom(BarFolding::Level::menus, *m_folded);
}

QMenu& BarMenus::add(const QString& name, const QString& title)
{
    QString plain = title;
    plain.remove(QLatin1Char('&'));
    QToolButton* button = barButton(name, plain, m_bar);
    button->setText(title);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("bar.%1.menu").arg(name));
    menu->setAccessibleName(plain);
    button->setMenu(menu);
    button->setShortcut(QKeySequence::mnemonic(title));
    m_line->addWidget(button);
    m_folding.hideFrom(BarFolding::Level::menus, *button);
    m_folded->menu()->addMenu(menu)->setText(title);
    return *menu;
}

void BarMenus::updateIcon()
{
    m_folded->setIcon(themedIcon(QStringLiteral("menu"), systemTheme().text));
}

} // namespace flopsmith::ui

#include "moc_bar_menus.cpp"
