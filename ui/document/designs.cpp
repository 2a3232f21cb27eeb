// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/designs.h"

#include "core/parameter/validation.h"
#include "core/share/open_model.h"

#include <QFile>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

// What a design cannot be asked for when all places are taken.
QString allPlacesTaken()
{
    return Designs::tr("%1 designs stand beside the live one already. Remove one first.")
        .arg(Designs::kMaxFrozen);
}

// The design with the document's workload, if that is legal for it. Its precision belongs to the
// design: a model is published in one.
std::optional<Scenario> withWorkload(const Scenario& scenario, const Workload& workload)
{
    Scenario changed{.model = scenario.model, .workload = workload};
    changed.workload.precision = scenario.workload.precision;
    return validated(changed) ? std::optional(std::move(changed)) : std::nullopt;
}

std::vector<KeptKey> inModel(std::vector<KeptKey> kept)
{
    std::erase_if(kept, [](const KeptKey& key) { return !isInModel(key); });
    return kept;
}

QStringList notesOf(const Loaded& loaded)
{
    QStringList notes;
    for (const std::string& note : loaded.notes) {
        notes << QString::fromStdString(note);
    }
    return notes;
}

} // namespace

Designs::Designs(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
{
    connect(&document, &Document::scenarioChanged, this, &Designs::followWorkload);
}

const FrozenDesign* Designs::find(char letter) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [letter](const Entry& e) {
        return e.design.letter == letter;
    });
    return found == m_entries.end() ? nullptr : &found->design;
}

Designs::Entry* Designs::entryOf(char letter)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [letter](const Entry& e) {
        return e.design.letter == letter;
    });
    return found == m_entries.end() ? nullptr : &*found;
}

std::optional<char> Designs::nextLetter() const
{
    for (std::size_t i = 0; i < kMaxFrozen; ++i) {
        const char letter = static_cast<char>('A' + static_cast<int>(i));
        if (find(letter) == nullptr) {
            return letter;
        }
    }
    return std::nullopt;
}

const CostTree<Count>& Designs::costTree(std::size_t index) const
{
    const Entry& entry = m_entries.at(index);
    const PairsRule pairs = lens(m_document.lens()).pairs;
    const auto found = entry.trees.find(pairs);
    return found != entry.trees.end()
        ? found->second
        : entry.trees.emplace(pairs, flopsmith::costTree(entry.design.scenario, pairs))
              .first->second;
}

CostSummary Designs::costSummary(std::size_t index) const
{
    return summary(costTree(index), at(index).scenario, m_document.lens());
}

const Memory& Designs::memory(std::size_t index) const
{
    const Entry& entry = m_entries.at(index);
    if (!entry.memory) {
        entry.memory = flopsmith::memory(entry.design.scenario);
    }
    return *entry.memory;
}

void Designs::Entry::forgetCosts()
{
    trees.clear();
    memory.reset();
}

std::vector<ComparedDesign> Designs::others() const
{
    std::vector<ComparedDesign> all;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const FrozenDesign& design = at(i);
        const std::string letter(1, design.letter);
        all.push_back({.name = letter + " " + design.scenario.model.name,
                       .scenario = design.scenario,
                       .tree = &costTree(i),
                       .memory = &memory(i),
                       .letter = letter});
    }
    return all;
}

ComparedDesign Designs::live() const
{
    const std::string letter = tr("live").toStdString();
    return {.name = letter + " " + m_document.model().name,
            .scenario = m_document.scenario(),
            .tree = &m_document.costTree(),
            .letter = letter};
}

void Designs::insert(Entry entry)
{
    const auto behind =
        std::find_if(m_entries.begin(), m_entries.end(), [&entry](const Entry& other) {
            return other.design.letter > entry.design.letter;
        });
    m_entries.insert(behind, std::move(entry));
}

void Designs::add(FrozenDesign design)
{
    design.letter = nextLetter().value_or('A');
    insert(Entry{.id = ++m_lastId, .design = std::move(design)});
    Q_EMIT changed();
}

bool Designs::freezeLive()
{
    if (isFull()) {
        m_document.refuse(allPlacesTaken());
        return false;
    }
    add({.scenario = m_document.scenario(),
         .kept = inModel(m_document.state().kept),
         .notes = m_document.notes()});
    return true;
}

Result<QStringList> Designs::addFrom(const QString& nameOrPath)
{
    if (isFull()) {
        return Error{allPlacesTaken().toStdString()};
    }
    FLOPSMITH_TRY(Loaded loaded,
                  openedModel(QFile::encodeName(nameOrPath).toStdString(), Illegal::repair));
    QStringList notes = notesOf(loaded);
    FrozenDesign design{.scenario = loaded.project.scenario,
                        .kept = inModel(loaded.project.kept),
                        .notes = loaded.project.notes,
                        .followsWorkload = !loaded.isWhole()};
    if (design.followsWorkload) {
        if (auto same = withWorkload(design.scenario, m_document.scenario().workload)) {
            design.scenario = std::move(*same);
        } else {
            notes << tr("The workload of the live design is not possible for %1, which keeps its "
                        "own.")
                         .arg(design.name());
        }
    }
    add(std::move(design));
    return notes;
}

void Designs::remove(char letter)
{
    const std::size_t removed = std::erase_if(
        m_entries, [letter](const Entry& entry) { return entry.design.letter == letter; });
    if (removed > 0) {
        Q_EMIT changed();
    }
}

void Designs::clear()
{
    if (!isEmpty()) {
        m_entries.clear();
        Q_EMIT changed();
    }
}

void Designs::drop(char letter)
{
    if (const Entry* entry = entryOf(letter)) {
        drop(tr("Remove design %1").arg(QChar::fromLatin1(letter)), {*entry});
    }
}

void Designs::dropAll()
{
    if (!isEmpty()) {
        drop(tr("Stop comparing"), m_entries);
    }
}

void Designs::drop(const QString& text, const std::vector<Entry>& dropped)
{
    m_document.history().recordBeside(
        text, [designs = QPointer<Designs>(this), dropped](bool done) {
            if (designs) {
                done ? designs->takeAway(dropped) : designs->bringBack(dropped);
            }
        });
}

void Designs::takeAway(const std::vector<Entry>& dropped)
{
    std::erase_if(m_entries, [&dropped](const Entry& entry) {
        return std::any_of(dropped.begin(), dropped.end(), [&entry](const Entry& each) {
            return each.id == entry.id;
        });
    });
    Q_EMIT changed();
}

void Designs::bringBack(const std::vector<Entry>& dropped)
{
    for (Entry entry : dropped) {
        const bool isTaken = find(entry.design.letter) != nullptr;
        const std::optional<char> free = isTaken ? nextLetter() : entry.design.letter;
        if (free) {
            entry.design.letter = *free;
            insert(std::move(entry));
        }
    }
    followWorkload();
    Q_EMIT changed();
}

std::vector<FrozenDesign> Designs::all() const
{
    std::vector<FrozenDesign> designs;
    for (const Entry& entry : m_entries) {
        designs.push_back(entry.design);
    }
    return designs;
}

void Designs::replaceAll(const std::vector<FrozenDesign>& designs)
{
    m_entries.clear();
    for (const FrozenDesign& design : designs) {
        if (!isFull()) {
            m_entries.push_back({.id = ++m_lastId, .design = design});
        }
    }
    Q_EMIT changed();
}

void Designs::rename(char letter, const QString& name)
{
    Entry* entry = entryOf(letter);
    const QString wanted = name.trimmed();
    if (entry != nullptr && !wanted.isEmpty() && wanted != entry->design.name()) {
        entry->design.scenario.model.name = fittingModelName(wanted.toStdString());
        Q_EMIT changed();
    }
}

void Designs::swapWithLive(char letter)
{
    const Entry* entry = entryOf(letter);
    if (entry == nullptr) {
        return;
    }
    const FrozenDesign frozen = entry->design;
    const FrozenDesign live{.letter = letter,
                            .scenario = m_document.scenario(),
                            .kept = inModel(m_document.state().kept),
                            .notes = m_document.notes()};
    m_document.replaceDesign(
        tr("Swap with %1").arg(QChar::fromLatin1(letter)),
        [&frozen](DocumentState& state) {
            state.scenario = frozen.scenario;
            state.wishes = {};
            state.rules = {}; // those of the other design
            state.notes = frozen.notes;
            std::erase_if(state.kept, [](const KeptKey& key) { return isInModel(key); });
            state.kept.insert(state.kept.end(), frozen.kept.begin(), frozen.kept.end());
            const auto runs = static_cast<int>(frozen.scenario.model.runs.size());
            state.selection = Selection::ofRun(runs - 1);
        },
        [designs = QPointer<Designs>(this), id = entry->id, live, frozen](bool done) {
            if (designs) {
                designs->put(id, done ? live : frozen);
            }
        });
}

// Not if the design was removed in the meantime.
void Designs::put(int id, const FrozenDesign& design)
{
    const auto found = std::find_if(
        m_entries.begin(), m_entries.end(), [id](const Entry& entry) { return entry.id == id; });
    if (found != m_entries.end()) {
        found->design = design;
        found->forgetCosts();
        Q_EMIT changed();
    }
}

void Designs::followWorkload()
{
    bool followed = false;
    const Workload& workload = m_document.scenario().workload;
    for (Entry& entry : m_entries) {
        FrozenDesign& design = entry.design;
        if (!design.followsWorkload || isSamePass(design.scenario.workload, workload)) {
            continue;
        }
        if (auto same = withWorkload(design.scenario, workload)) {
            design.scenario = std::move(*same);
            entry.forgetCosts();
            followed = true;
        }
    }
    if (followed) {
        Q_EMIT changed();
    }
}

} // namespace flopsmith::ui

#include "moc_designs.cpp"
