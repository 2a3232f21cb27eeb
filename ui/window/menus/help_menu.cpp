// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/help_menu.h"

#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/help/about.h"
#include "ui/window/help/keys_sheet.h"
#include "ui/window/menus/shown_dialog.h"

#include <QApplication>
#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {

HelpMenu::HelpMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    addKeys(menu);
    QAction* about = menu.addAction(tr("&About Flopsmith"), this, [this] {
        showDialog<About>(*m_parts.window, m_parts.window);
    });
    about->setObjectName(QStringLiteral("help.about"));
    about->setMenuRole(QAction::AboutRole);
}

void HelpMenu::addKeys(QMenu& menu)
{
    QAction* keys = menu.addAction(
        tr("&Keys"), this, [this] { showDialog<KeysSheet>(*m_parts.window, *m_parts.window); });
    keys->setObjectName(QStringLiteral("help.keys"));
    keys->setShortcuts(standardKeys(QKeySequence::HelpContents, tr("F1")) << QKeySequence(tr("?")));
    m_parts.window->addAction(keys);
    QAction* what = menu.addAction(tr("What is t&his?"), this, &HelpMenu::explainFocus);
    what->setObjectName(QStringLiteral("help.whatIsThis"));
    what->setShortcuts(standardKeys(QKeySequence::WhatsThis, tr("Shift+F1")));
    m_parts.window->addAction(what);
}

// While its menu is open, the focus is still where it was.
void HelpMenu::explainFocus()
{
    QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr || !Explainer::openFor(*focus)) {
        m_parts.messages->show(
            MessageBar::Kind::note,
            tr("Go to a parameter, to the stack or to an entry of the palette, then "
               "ask what it is."));
    }
}

} // namespace flopsmith::ui

#include "moc_help_menu.cpp"
