// SPDX-License-Identifier: MIT
#include "core/note/notes_through.h"

#include "core/parameter/run_origins.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace flopsmith {
namespace {

/// Where the blocks of a model are after an edit of it.
class BlocksThrough
{
public:
    BlocksThrough(const Model& before, const Model& after)
        : m_before(before)
        , m_after(after)
        , m_from(runsTheyWere(before, after))
    {}

    /// -1 for a block that is gone.
    int placeOf(int block) const
    {
        const int run = m_before.runOf(block);
        const int offset = block - m_before.firstBlock(run);
        const std::vector<int> repeats = repeatsOf(m_before, run);
        const auto number = static_cast<std::size_t>(std::find(repeats.begin(), repeats.end(), run)
                                                     - repeats.begin());
        const int first = number == 0 ? -1 : placeInRuns(repeats.front(), offset);
        if (first >= 0 && patternOf(m_after, m_after.runOf(first)) >= 0) {
            return inRepeat(first, number);
        }
        return placeOutside(run, block);
    }

private:
    // The run may have become several runs, in the order of its blocks.
    int placeInRuns(int run, int offset) const
    {
        for (std::size_t now = 0; now < m_from.size(); ++now) {
            if (m_from[now] != run) {
                continue;
            }
            if (offset < m_after.runs[now].repeat) {
                return m_after.firstBlock(static_cast<int>(now)) + offset;
            }
            offset -= m_after.runs[now].repeat;
        }
        return -1;
    }

    // The corresponding block in a later repeat.
    int inRepeat(int first, std::size_t number) const
    {
        const int run = m_after.runOf(first);
        const std::vector<int> repeats = repeatsOf(m_after, run);
        return number < repeats.size()
            ? m_after.firstBlock(repeats[number]) + first - m_after.firstBlock(run)
            : -1;
    }

    // Blocks whose run was joined with another one keep their positions.
    int placeOutside(int run, int block) const
    {
        const bool isJoined = std::find(m_from.begin(), m_from.end(), run) == m_from.end()
            && m_before.layers() == m_after.layers();
        return isJoined ? block : placeInRuns(run, block - m_before.firstBlock(run));
    }

    const Model& m_before;
    const Model& m_after;
    std::vector<int> m_from; ///< for each run after the edit the run that it was before
};

} // namespace

std::vector<Note> carriedOver(std::span<const Note> notes, const Model& before, const Model& after)
{
    if (notes.empty() || before == after) {
        return {notes.begin(), notes.end()};
    }
    const BlocksThrough blocks(before, after);
    std::vector<Note> carried;
    for (Note note : notes) {
        if (isOfBlock(note.anchor.part)) {
            note.anchor.block = blocks.placeOf(note.anchor.block);
        }
        carried.push_back(std::move(note));
    }
    return holdingNotes(carried, after);
}

std::vector<Note> notesWithoutRuns(std::span<const Note> notes,
                                   const Model& model,
                                   std::span<const int> runs)
{
    std::vector<bool> isGone(model.runs.size(), false);
    for (const int run : runs) {
        for (const int repeat : repeatsOf(model, run)) {
            isGone[static_cast<std::size_t>(repeat)] = true;
        }
    }
    std::vector<Note> left;
    for (Note note : notes) {
        const int run = model.runOf(note.anchor.block);
        for (int other = 0; other < run; ++other) {
            if (isGone[static_cast<std::size_t>(other)]) {
                note.anchor.block -= model.runs[static_cast<std::size_t>(other)].repeat;
            }
        }
        if (run < 0 || !isGone[static_cast<std::size_t>(run)]) {
            left.push_back(std::move(note));
        }
    }
    return left;
}

std::vector<Note> holdingNotes(std::span<const Note> notes, const Model& model)
{
    std::vector<Note> holding;
    for (Note note : notes) {
        if (!checked(note.anchor, model) && isOfBlock(note.anchor.part)) {
            note.anchor.part = NotePart::block;
        }
        if (checked(note.anchor, model)) {
            holding.push_back(std::move(note));
        }
    }
    return holding;
}

} // namespace flopsmith
