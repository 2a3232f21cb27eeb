// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/compare/comparison.h"
#include "ui/document/document.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace flopsmith::ui {

/// A design that stays as it is while the document changes.
struct FrozenDesign
{
    char letter = 'A';
    Scenario scenario{};
    std::vector<KeptKey> kept{}; ///< keys of its model that this version does not know
    std::vector<Note> notes{}; ///< at parts of its model
    /// A preset or a config.json has no workload of its own: it takes the document's, as long as
    /// that is legal for it, but keeps the precision in which it is published.
    bool followsWorkload = false;

    QString name() const { return QString::fromStdString(scenario.model.name); }
};

/// The letter of the design at a place: A, B, C.
constexpr char designLetter(std::size_t place)
{
    return static_cast<char>('A' + static_cast<int>(place));
}

/// Up to three designs frozen beside the document, which is the live one. Their costs are counted
/// once per rule of pairs and kept until the design itself changes.
class Designs : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t kMaxFrozen = kMaxDesigns - 1;

    explicit Designs(Document& document, QObject* parent = nullptr);

    bool isEmpty() const { return m_entries.empty(); }
    bool isFull() const { return m_entries.size() >= kMaxFrozen; }
    std::size_t size() const { return m_entries.size(); }

    /// In the order of their letters.
    const FrozenDesign& at(std::size_t index) const { return m_entries.at(index).design; }
    const FrozenDesign* find(char letter) const;

    /// The letter that the next one gets; none when there is no place for it.
    std::optional<char> nextLetter() const;

    /// Under the document's lens.
    const CostTree<Count>& costTree(std::size_t index) const;
    CostSummary costSummary(std::size_t index) const;
    const Memory& memory(std::size_t index) const;

    /// For charts and tables, "A GPT-2 small" with its cost; valid until the next change.
    std::vector<ComparedDesign> others() const;

    /// The document likewise: "live GPT-2 small".
    ComparedDesign live() const;

    /// Keeps the document's scenario as a further design. False, with a refusal, when all places are
    /// taken.
    bool freezeLive();

    /// Adds a preset by its id, a project or a config.json. Returns what a reader should know of it;
    /// on an error nothing is added.
    Result<QStringList> addFrom(const QString& nameOrPath);

    void remove(char letter);
    void clear();

    /// The same as one step of the document, which stays unmodified by it. Undone, the designs stand
    /// where they stood, or at the next free letters; those without a place stay away.
    void drop(char letter);
    void dropAll();

    /// All of them as values, and the way back to them.
    std::vector<FrozenDesign> all() const;
    void replaceAll(const std::vector<FrozenDesign>& designs);

    /// Changes the name of its model; an empty one changes nothing.
    void rename(char letter, const QString& name);

    /// Makes the design the live one and puts the live one into its place, as one undo step of the
    /// document, which undoes both.
    void swapWithLive(char letter);

Q_SIGNALS:
    /// Designs were added, removed or changed.
    void changed();

private:
    struct Entry
    {
        int id = 0; ///< told from later designs of the same letter
        FrozenDesign design{};
        mutable std::map<PairsRule, CostTree<Count>> trees{};
        mutable std::optional<Memory> memory{};

        void forgetCosts();
    };

    void insert(Entry entry);
    void add(FrozenDesign design);
    Entry* entryOf(char letter);
    void put(int id, const FrozenDesign& design);
    void drop(const QString& text, const std::vector<Entry>& dropped);
    void takeAway(const std::vector<Entry>& dropped);
    void bringBack(const std::vector<Entry>& dropped);
    void followWorkload();

    Document& m_document;
    std::vector<Entry> m_entries;
    int m_lastId = 0;
};

} // namespace flopsmith::ui
