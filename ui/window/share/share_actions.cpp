// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/share/share_actions.h"

#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/widgets/pages.h"
#include "ui/window/share/share_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeySequence>
#include <QMenu>

namespace flopsmith::ui {

ShareActions::ShareActions(Document& document, const Pages& pages, QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_pages(pages)
    , m_window(window)
{}

void ShareActions::fill(QMenu& menu)
{
    add(menu,
        QStringLiteral("copyCode"),
        tr("&Copy share code"),
        QKeySequence(tr("Ctrl+Shift+L")),
        &ShareActions::copy);
    add(menu,
        QStringLiteral("share"),
        tr("S&hare…"),
        QKeySequence(tr("Ctrl+Alt+S")),
        &ShareActions::show);
}

void ShareActions::add(QMenu& menu,
                       const QString& name,
                       const QString& text,
                       const QKeySequence& keys,
                       void (ShareActions::*act)(const QString& code))
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QStringLiteral("file.") + name);
    action->setShortcut(keys);
    m_window.addAction(action); // so that the shortcut works while the menu is closed
    connect(action, &QAction::triggered, this, [this, act] {
        const std::string page(viewOfPage(m_pages.currentName().toStdString()));
        const Result<std::string> code = shareCode(m_document.file().project(), page);
        if (!code) {
            m_document.refuse(QString::fromStdString(code.error().message));
            return;
        }
        (this->*act)(QString::fromStdString(*code));
    });
}

void ShareActions::copy(const QString& code)
{
    QGuiApplication::clipboard()->setText(code);
    Q_EMIT copied(tr("The share code is on the clipboard: %1 characters.").arg(code.size()));
}

void ShareActions::show(const QString& code)
{
    auto* dialog = new ShareDialog(code, m_window);
    dialog->open();
}

} // namespace flopsmith::ui

#include "moc_share_actions.cpp"
