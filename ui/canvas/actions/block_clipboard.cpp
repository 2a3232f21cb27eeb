// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/actions/block_clipboard.h"

#include "core/note/notes_through.h"
#include "core/share/share_code.h"
#include "ui/document/block_paste.h"
#include "ui/document/scenario_edit.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QWidget>

namespace flopsmith::ui {
namespace {

const QString kBlocksMimeType = QStringLiteral("application/x-flopsmith-blocks+json");

// The blocks or else the text of the clipboard, which may be anything.
QByteArray clipboardText()
{
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    if (mime == nullptr) {
        return {};
    }
    return mime->hasFormat(kBlocksMimeType) ? mime->data(kBlocksMimeType) : mime->text().toUtf8();
}

bool holdsText()
{
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    return mime != nullptr && (mime->hasFormat(kBlocksMimeType) || mime->hasText());
}

// Text of no blocks that may be a whole design (a project, a config.json, a share code) or name one
// (a path, an address, a preset).
bool mayBeDesign(const QByteArray& text)
{
    const QByteArray words = text.trimmed();
    const bool isPath = words.startsWith('/') || words.startsWith("file:") || words.startsWith('"');
    const bool isName = !words.isEmpty() && !words.contains('\n')
        && (isPath || !(words.contains(' ') || words.contains('\t')));
    return words.startsWith('{') ? !words.contains("flopsmith_blocks")
                                 : isName || isShareCode(words.toStdString());
}

QString whyNoText()
{
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    return mime != nullptr && mime->hasImage()
        ? BlockClipboard::tr("The clipboard holds an image, which is no design: copy blocks, the "
                             "text of a config.json or a share code.")
        : BlockClipboard::tr("The clipboard is empty.");
}

QString joinedNotes(const std::vector<std::string>& notes)
{
    QStringList texts;
    for (const std::string& note : notes) {
        texts << QString::fromStdString(note);
    }
    return texts.join(QStringLiteral(" \u00B7 "));
}

} // namespace

BlockClipboard::BlockClipboard(Document& document, QWidget& canvas)
    : QObject(&canvas)
    , m_document(document)
    , m_canvas(canvas)
{
    m_cut = added(QStringLiteral("cut"),
                  tr("Cut bloc&ks"),
                  QKeySequence(tr("Ctrl+X")),
                  &BlockClipboard::cutRuns);
    m_copy = added(QStringLiteral("copy"),
                   tr("&Copy blocks"),
                   QKeySequence(tr("Ctrl+C")),
                   &BlockClipboard::copyRuns);
    m_paste = added(QStringLiteral("paste"),
                    tr("Paste bl&ocks"),
                    QKeySequence(tr("Ctrl+V")),
                    &BlockClipboard::pasteRuns);
    m_pasteFfn = added(QStringLiteral("pasteFfn"),
                       tr("Paste FFN onl&y"),
                       QKeySequence(tr("Ctrl+Shift+V")),
                       &BlockClipboard::pasteFfnOnly);
    const auto giveReason = [](QAction& action, const QString& sentence) {
        action.setProperty("disabledReason", sentence);
    };
    giveReason(*m_copy, tr("Only blocks can be copied: select some first."));
    giveReason(*m_pasteFfn, tr("An FFN is pasted from the clipboard into selected blocks."));
    connect(&document, &Document::scenarioChanged, this, &BlockClipboard::updateEnabled);
    connect(&document, &Document::selectionChanged, this, &BlockClipboard::updateEnabled);
    connect(QGuiApplication::clipboard(),
            &QClipboard::dataChanged,
            this,
            &BlockClipboard::readClipboard);
    readClipboard();
}

QAction* BlockClipboard::added(const QString& name,
                               const QString& title,
                               const QKeySequence& keys,
                               void (BlockClipboard::*run)())
{
    auto* action = new QAction(title, this);
    action->setObjectName(QStringLiteral("stack.") + name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_canvas.addAction(action);
    connect(action, &QAction::triggered, this, run);
    return action;
}

// Asking for its content may wait for another program: not at every step of a slider.
void BlockClipboard::readClipboard()
{
    m_holdsText = holdsText();
    m_paste->setProperty("disabledReason", whyNoText());
    updateEnabled();
}

void BlockClipboard::updateEnabled()
{
    const std::vector<int> runs = m_document.selection().runs();
    m_copy->setEnabled(!runs.empty());
    m_cut->setEnabled(canRemoveRuns(m_document.scenario(), runs));
    m_cut->setProperty("disabledReason",
                       runs.empty() ? tr("Only blocks can be cut: select some first.")
                                    : tr("A model needs blocks: one run of them always stays."));
    m_paste->setEnabled(m_holdsText);
    m_pasteFfn->setEnabled(m_holdsText && !runs.empty());
}

void BlockClipboard::copyRuns()
{
    const BlockClip copy = copied(m_document.model(), m_document.selection().runs());
    QGuiApplication::clipboard()->setMimeData(mimeData(copy).release()); // it takes it
}

void BlockClipboard::cutRuns()
{
    copyRuns();
    m_document.apply(tr("Cut blocks"), [](DocumentState& state) {
        const std::vector<int> runs = state.selection.runs();
        state.notes = notesWithoutRuns(state.notes, state.scenario.model, runs);
        removeRuns(state.scenario, runs);
        state.selection = Selection::ofRun(runs.front());
    });
}

// The blocks on the clipboard; without them the document says why.
std::optional<BlockClip> BlockClipboard::clip()
{
    const QByteArray text = clipboardText();
    const Result<BlockClip> read =
        parsedClip({text.constData(), static_cast<std::size_t>(text.size())});
    if (!read) {
        m_document.refuse(QString::fromStdString(read.error().message));
        return std::nullopt;
    }
    return *read;
}

void BlockClipboard::pasteRuns()
{
    if (const QByteArray text = clipboardText(); mayBeDesign(text)) {
        Q_EMIT designPasted(QString::fromUtf8(text));
        return;
    }
    const std::optional<BlockClip> blocks = clip();
    if (!blocks) {
        return;
    }
    const int place = placeBehind(m_document.model(), m_document.selection());
    if (const QString why = whyNotPasted(m_document.model(), *blocks, place); !why.isEmpty()) {
        m_document.refuse(why);
        return;
    }
    Pasted pasted;
    const bool taken = m_document.apply(tr("Paste blocks"), [&](DocumentState& state) {
        pasted = ui::pasteRuns(state.scenario, *blocks, place);
        state.selection = Selection::ofRuns(pasted.runs, pasted.runs.front());
    });
    if (taken) {
        m_document.notify(joinedNotes(pasted.notes));
    }
}

void BlockClipboard::pasteFfnOnly()
{
    const std::optional<BlockClip> blocks = clip();
    if (!blocks) {
        return;
    }
    if (const QString why = whyNoFfn(*blocks); !why.isEmpty()) {
        m_document.refuse(why);
        return;
    }
    Pasted pasted;
    const bool taken = m_document.apply(tr("Paste FFN"), [&](DocumentState& state) {
        pasted = ui::pasteFfn(state.scenario, *blocks, state.selection.runs());
    });
    if (taken) {
        m_document.notify(joinedNotes(pasted.notes));
    }
}

std::unique_ptr<QMimeData> mimeData(const BlockClip& clip)
{
    const QString text = QString::fromStdString(clipText(clip));
    auto mime = std::make_unique<QMimeData>();
    mime->setData(kBlocksMimeType, text.toUtf8());
    mime->setText(text);
    return mime;
}

} // namespace flopsmith::ui

#include "moc_block_clipboard.cpp"
