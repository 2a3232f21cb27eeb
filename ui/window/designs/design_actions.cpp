// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/designs/design_actions.h"

#include "core/model/presets.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/menu_heading.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/open_path.h"

#include <QAction>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

namespace flopsmith::ui {

DesignActions::DesignActions(Document& document,
                             Designs& designs,
                             MessageBar& messages,
                             QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_designs(designs)
    , m_messages(messages)
    , m_window(window)
    , m_freeze(added(QStringLiteral("freeze"),
                     tr("&Freeze the design"),
                     tr("Three designs stand beside the live one already.")))
    , m_file(added(QStringLiteral("file"),
                   tr("Compare with a f&ile…"),
                   tr("Three designs stand beside the live one already.")))
    , m_closeAll(added(QStringLiteral("closeAll"),
                       tr("Stop &comparing"),
                       tr("No design stands beside the live one.")))
{
    m_freeze->setShortcut(tr("Ctrl+Shift+F"));
    m_freeze->setToolTip(tr("Keep the design as it is now, and see it beside what becomes of it"));
    m_file->setShortcut(tr("Ctrl+Shift+O"));
    m_closeAll->setShortcut(tr("Ctrl+Shift+W"));
    connect(m_freeze, &QAction::triggered, this, [this] { m_designs.freezeLive(); });
    connect(m_file, &QAction::triggered, this, &DesignActions::askForFile);
    connect(m_closeAll, &QAction::triggered, this, [this] {
        const bool isOne = m_designs.size() == 1;
        m_designs.dropAll();
        m_document.tellRemoved(isOne ? tr("The frozen design was removed.")
                                     : tr("All frozen designs were removed."));
    });
    addPresets();
    for (std::size_t place = 0; place < Designs::kMaxFrozen; ++place) {
        addLetter(designLetter(place));
    }
    connect(&m_designs, &Designs::changed, this, &DesignActions::showPossible);
    showPossible();
}

QAction* DesignActions::added(const QString& name, const QString& text, const QString& reason)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QStringLiteral("view.designs.") + name);
    action->setProperty("disabledReason", reason);
    m_window.addAction(action); // so that the shortcut works while the menu is closed
    return action;
}

void DesignActions::addPresets()
{
    auto* menu = new QMenu(tr("Compare with a &preset"), &m_window);
    menu->setObjectName(QStringLiteral("designs.presets"));
    menu->setAccessibleName(tr("Presets to compare with"));
    for (const Preset& preset : presets()) {
        QAction* action = submenuOf(*menu, fromUtf8(title(preset.kind)))
                              .addAction(tr("Compare with %1").arg(fromUtf8(preset.title)));
        action->setObjectName(QStringLiteral("designs.preset.") + fromUtf8(preset.id));
        action->setToolTip(fromUtf8(preset.note));
        action->setProperty("disabledReason", m_file->property("disabledReason"));
        connect(
            action, &QAction::triggered, this, [this, &preset] { addFrom(fromUtf8(preset.id)); });
    }
    m_presets = menu->menuAction();
    m_presets->setProperty("disabledReason", m_file->property("disabledReason"));
}

void DesignActions::addLetter(char letter)
{
    const QChar shown = QChar::fromLatin1(letter);
    const QString reason = tr("There is no design %1 beside the live one.").arg(shown);
    OfDesign& actions = at(letter);
    actions.swap = added(QStringLiteral("swap%1").arg(shown),
                         tr("Swap the live design with &%1").arg(shown),
                         reason);
    actions.rename =
        added(QStringLiteral("rename%1").arg(shown), tr("Rename design %1…").arg(shown), reason);
    actions.remove =
        added(QStringLiteral("remove%1").arg(shown), tr("Remove design %1").arg(shown), reason);
    actions.swap->setShortcut(QKeySequence(QStringLiteral("Ctrl+F%1").arg(7 + letter - 'A')));
    connect(actions.swap, &QAction::triggered, this, [this, letter] {
        m_designs.swapWithLive(letter);
    });
    connect(actions.rename, &QAction::triggered, this, [this, letter] { askForName(letter); });
    connect(actions.remove, &QAction::triggered, this, [this, letter, shown] {
        m_designs.drop(letter);
        m_document.tellRemoved(tr("Design %1 was removed.").arg(shown));
    });
}

void DesignActions::fill(QMenu& menu)
{
    QMenu* below = menu.addMenu(tr("Compare desi&gns"));
    below->setObjectName(QStringLiteral("view.designs.menu"));
    below->setAccessibleName(tr("Compare designs"));
    below->addAction(m_freeze);
    below->addActions(additions());
    for (const OfDesign& actions : m_letters) {
        below->addSeparator();
        below->addActions({actions.swap, actions.rename, actions.remove});
    }
    below->addSeparator();
    below->addAction(m_closeAll);
}

void DesignActions::addFrom(const QString& nameOrPath)
{
    const Result<QStringList> added = m_designs.addFrom(nameOrPath);
    if (!added) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(added.error().message));
    } else if (!added->isEmpty()) {
        m_messages.show(MessageBar::Kind::note, added->join(QStringLiteral(" \u00B7 ")));
    }
}

void DesignActions::askForFile()
{
    const QString path =
        askOpenPath(m_window,
                    tr("Compare with a model"),
                    QFileInfo(m_document.file().path()).absolutePath(),
                    tr("Models (*.flopsmith config.json);;JSON files (*.json);;All files (*)"));
    if (!path.isEmpty()) {
        addFrom(path);
    }
}

void DesignActions::askForName(char letter)
{
    const FrozenDesign* design = m_designs.find(letter);
    if (design == nullptr) {
        return;
    }
    bool taken = false;
    const QString name =
        QInputDialog::getText(&m_window,
                              tr("Rename the design"),
                              tr("Name of design %1").arg(QChar::fromLatin1(letter)),
                              QLineEdit::Normal,
                              design->name(),
                              &taken);
    if (taken) {
        m_designs.rename(letter, name);
    }
}

void DesignActions::showPossible()
{
    for (QAction* action : {m_freeze, m_presets, m_file}) {
        action->setEnabled(!m_designs.isFull());
    }
    m_closeAll->setEnabled(!m_designs.isEmpty());
    for (std::size_t place = 0; place < m_letters.size(); ++place) {
        const OfDesign& actions = m_letters[place];
        const bool isThere = m_designs.find(designLetter(place)) != nullptr;
        for (QAction* action : {actions.swap, actions.rename, actions.remove}) {
            action->setEnabled(isThere);
        }
    }
}

} // namespace flopsmith::ui

#include "moc_design_actions.cpp"
