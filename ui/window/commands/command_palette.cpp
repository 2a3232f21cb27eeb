// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/command_palette.h"

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

// Moves what was chosen last to the front.
void putRecentFirst(std::vector<TypedEntry>& entries)
{
    const QStringList recent = storedCommands();
    const auto age = [&recent](const TypedEntry& entry) {
        const qsizetype index = recent.indexOf(entry.id);
        return index < 0 ? recent.size() : index;
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
    , m_list(new TypedList(QStringLiteral("commands"),
                           tr("Type a command, a model, or a parameter and its value"),
                           window))
{
    m_action->setObjectName(QStringLiteral("window.commands"));
    m_action->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});
    window.addAction(m_action);
    connect(m_action, &QAction::triggered, this, &CommandPalette::open);
    m_list->setSource([this](const QString& query) {
        std::vector<TypedEntry> codes = shareCodeCommands(query, m_window);
        return codes.empty() ? parameterCommands(m_document, query) : codes;
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
