// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/command_sources.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/disabled_action.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/commands/action_text.h"

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QSet>

#include <array>
#include <utility>

// The actions of the window as commands.

namespace flopsmith::ui {
namespace {

/// Collects actions, each once.
class ActionWalk
{
public:
    /// `pattern` makes a title of an action's text: "Load %1".
    void addMenu(QMenu& menu,
                 const QString& path,
                 const QString& pattern = QStringLiteral("%1"),
                 bool possible = true)
    {
        if (m_menus.contains(&menu)) {
            return;
        }
        m_menus << &menu;
        Q_EMIT menu.aboutToShow(); // some are filled when they are shown
        for (QAction* action : menu.actions()) {
            QMenu* below = action->menu();
            if (below == nullptr) {
                add(*action, path, pattern, possible);
                continue;
            }
            const QString name = plainText(action->text());
            addMenu(*below,
                    path.isEmpty() ? name : path + QStringLiteral(" › ") + name,
                    pattern,
                    possible && action->isEnabled());
        }
    }

    void add(QAction& action, const QString& path, const QString& pattern, bool possible = true)
    {
        const QString name = plainText(action.text());
        const bool shown = action.isVisible() && !action.isSeparator() && action.menu() == nullptr
            && !action.property("heading").toBool() && !action.property("ofWidget").toBool();
        if (name.isEmpty() || !shown || m_seen.contains(&action)) {
            return;
        }
        m_seen << &action;
        const bool isPage = action.objectName().contains(QLatin1String(".show"));
        TypedEntry entry;
        entry.title = (isPage ? TopBar::tr("Show %1") : pattern).arg(name);
        entry.detail = path;
        entry.id = action.objectName().isEmpty() ? path + QLatin1Char('/') + entry.title
                                                 : action.objectName();
        entry.keys = keysText(action.shortcuts().mid(0, 1));
        entry.help = plainText(action.toolTip()) == name ? QString() : action.toolTip();
        entry.refusal = possible && action.isEnabled() ? QString() : refusalOf(action);
        entry.names = action.property("names").toStringList();
        entry.fits = action.property("fits").toBool()
            || action.objectName().startsWith(QLatin1String("stack."));
        entry.run = [pointer = QPointer<QAction>(&action)] {
            if (pointer != nullptr) {
                pointer->trigger();
            }
        };
        m_entries.push_back(std::move(entry));
    }

    std::vector<TypedEntry> taken() { return std::move(m_entries); }

private:
    QSet<const QMenu*> m_menus;
    QSet<const QAction*> m_seen;
    std::vector<TypedEntry> m_entries;
};

// How a choice of the tool bar or of the charts is put as a command.
QString patternOf(const ChoiceChip& chip)
{
    const std::array<std::pair<const char*, QString>, 14> patterns{{
        {"bar.model", TopBar::tr("Load %1")},
        {"bar.phase", TopBar::tr("Phase %1")},
        {"bar.precision", TopBar::tr("Precision: %1")},
        {"bar.lens", TopBar::tr("Count as %1")},
        {"bar.metric", TopBar::tr("Curves of %1")},
        {"bar.axis", TopBar::tr("Curves over %1")},
        {"bar.hardware", TopBar::tr("Budgets of %1")},
        {"bar.from", TopBar::tr("Waterfall from %1")},
        {"bar.to", TopBar::tr("Waterfall to %1")},
        {"bar.heat", TopBar::tr("Heat map of %1")},
        {"bar.designX", TopBar::tr("Designs over %1 along x")},
        {"bar.designY", TopBar::tr("Designs over %1 along y")},
        {"bar.goalX", TopBar::tr("Front by %1 along x")},
        {"bar.goalY", TopBar::tr("Front by %1 along y")},
    }};
    for (const auto& [name, pattern] : patterns) {
        if (chip.objectName() == QLatin1String(name)) {
            return pattern;
        }
    }
    return QStringLiteral("%1");
}

// A menu whose button is hidden has nothing to act on.
bool hasHiddenOwner(const QMenu& menu)
{
    const QWidget* owner = menu.parentWidget();
    return owner != nullptr && owner->isHidden();
}

} // namespace

std::vector<TypedEntry> windowCommands(QWidget& window, TopBar& bar)
{
    ActionWalk walk;
    walk.addMenu(*bar.foldedMenus().menu(), {});
    for (ChoiceChip* chip : window.findChildren<ChoiceChip*>()) {
        walk.addMenu(chip->choices(), chip->choices().accessibleName(), patternOf(*chip));
    }
    for (QMenu* menu : window.findChildren<QMenu*>()) {
        if (qobject_cast<QMenu*>(menu->parent()) == nullptr) { // else its parent leads to it
            walk.addMenu(
                *menu, menu->accessibleName(), QStringLiteral("%1"), !hasHiddenOwner(*menu));
        }
    }
    for (QAction* action : window.findChildren<QAction*>()) {
        walk.add(*action, {}, QStringLiteral("%1"));
    }
    return walk.taken();
}

} // namespace flopsmith::ui
