// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/command_palette.h"

#include "ui/canvas/entries/phrase_entries.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/commands/command_sources.h"
#include "ui/window/settings/window_settings.h"

#include <QAction>

#include <algorithm>
#include <iterator>

namespace flopsmith::ui {
namespace {

constexpr int kCommandLetters = 80; ///< in a line of the list
constexpr int kCommandGap = 6; ///< below the bar
constexpr int kCommandEdge = 20; ///< to the window's edges

// Moves what is about the selection to the front, without the many components that it may be
// replaced by, and before it what was chosen last.
void putRecentFirst(std::vector<TypedEntry>& entries)
{
    const QStringList recent = storedCommands();
    const auto age = [&recent](const TypedEntry& entry) {
        const qsizetype index = recent.indexOf(entry.id);
        const bool isFirst =
            entry.fits && entry.refusal.isEmpty() && entry.id.startsWith(QLatin1String("stack."));
        return index >= 0 ? index : recent.size() + (isFirst ? 0 : 1);
    };
    std::stable_sort(entries.begin(),
                     entries.end(),
                     [&age](const TypedEntry& a, const TypedEntry& b) { return age(a) < age(b); });
}

} // namespace

CommandPalette::CommandPalette(Document& document, TopBar& bar, QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_bar(bar)
    , m_window(window)
    , m_action(new QAction(tr("Find a c&ommand…"), this))
    , m_list(new TypedList(
          QStringLiteral("commands"),
          tr("Type a command, a model, a parameter and its value, or “every 4th moe”"),
          window))
{
    m_action->setObjectName(QStringLiteral("window.commands"));
    m_action->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});
    window.addAction(m_action);
    connect(m_action, &QAction::triggered, this, &CommandPalette::open);
    m_list->setSource([this](const QString& query) {
        std::vector<TypedEntry> codes = shareCodeCommands(query, m_window);
        if (!codes.empty()) {
            return codes;
        }
        std::vector<TypedEntry> typed = phraseEntries(m_document, query);
        std::vector<TypedEntry> settings = parameterCommands(m_document, query);
        std::move(settings.begin(), settings.end(), std::back_inserter(typed));
        return typed;
    });
    const auto close = [this] { // its entries are those of the model as it was
        if (m_list->isVisible()) {
            m_list->dismiss();
        }
    };
    connect(&m_document, &Document::scenarioChanged, this, close);
    connect(&m_document, &Document::selectionChanged, this, close);
    connect(m_list, &TypedList::chosen, this, [](const QString& id) {
        if (!id.isEmpty()) { // a parameter's value is not worth remembering
            storeCommand(id);
        }
    });
}

void CommandPalette::open()
{
    std::vector<TypedEntry> entries = windowCommands(m_window, m_bar);
    putRecentFirst(entries);
    std::vector<TypedEntry> hints = parameterHints(m_document);
    std::move(hints.begin(), hints.end(), std::back_inserter(entries));
    std::vector<TypedEntry> questions = explanationCommands(m_document, m_window);
    std::move(questions.begin(), questions.end(), std::back_inserter(entries));
    const int width = std::min(kCommandLetters * m_window.fontMetrics().averageCharWidth(),
                               m_window.width() - 2 * kCommandEdge);
    m_list->open(std::move(entries),
                 QRect((m_window.width() - width) / 2,
                       m_bar.height() + kCommandGap,
                       width,
                       m_window.height() * 3 / 5));
}

} // namespace flopsmith::ui

#include "moc_command_palette.cpp"
