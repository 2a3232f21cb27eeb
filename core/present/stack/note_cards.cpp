// SPDX-License-Identifier: MIT
#include "core/present/stack/note_cards.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

namespace flopsmith {
namespace {

std::optional<StackRow::Kind> rowKindOf(NotePart part)
{
    switch (part) {
    case NotePart::stack: return std::nullopt;
    case NotePart::embedding: return StackRow::Kind::embedding;
    case NotePart::encoderNorm: return StackRow::Kind::encoderNorm;
    case NotePart::finalNorm: return StackRow::Kind::finalNorm;
    case NotePart::head: return StackRow::Kind::head;
    default: return StackRow::Kind::run;
    }
}

std::optional<PartRole> roleOf(NotePart part)
{
    switch (part) {
    case NotePart::mixer: return PartRole::mixer;
    case NotePart::cross: return PartRole::cross;
    case NotePart::ffn: return PartRole::ffn;
    default: return std::nullopt;
    }
}

NotePart partOfRole(PartRole role)
{
    switch (role) {
    case PartRole::mixer: return NotePart::mixer;
    case PartRole::cross: return NotePart::cross;
    case PartRole::ffn: return NotePart::ffn;
    default: return NotePart::block;
    }
}

int partWithRole(const StackRow& row, NotePart noted)
{
    const std::optional<PartRole> role = roleOf(noted);
    const auto found = std::find_if(row.parts.begin(),
                                    row.parts.end(),
                                    [role](const StackPart& part) { return part.role == role; });
    return found == row.parts.end() ? -1 : static_cast<int>(found - row.parts.begin());
}

} // namespace

NotedPart notedPart(const NoteAnchor& anchor, const Model& model, const StackPicture& picture)
{
    const std::optional<StackRow::Kind> kind = rowKindOf(anchor.part);
    if (!kind) {
        return {};
    }
    const int run = isOfBlock(anchor.part) ? shownRun(model, model.runOf(anchor.block)) : -1;
    const auto found =
        std::find_if(picture.rows.begin(), picture.rows.end(), [&](const StackRow& row) {
            return row.kind == *kind && row.run == run;
        });
    if (found == picture.rows.end()) {
        return {};
    }
    return {.row = static_cast<int>(found - picture.rows.begin()),
            .part = partWithRole(*found, anchor.part)};
}

NoteAnchor anchorOf(const NotedPart& part, const StackPicture& picture)
{
    if (part.row < 0 || part.row >= static_cast<int>(picture.rows.size())) {
        return {};
    }
    const StackRow& row = picture.rows[static_cast<std::size_t>(part.row)];
    switch (row.kind) {
    case StackRow::Kind::embedding: return {.part = NotePart::embedding};
    case StackRow::Kind::encoderNorm: return {.part = NotePart::encoderNorm};
    case StackRow::Kind::finalNorm: return {.part = NotePart::finalNorm};
    case StackRow::Kind::head: return {.part = NotePart::head};
    case StackRow::Kind::run: break;
    }
    const bool isPart = part.part >= 0 && part.part < static_cast<int>(row.parts.size());
    return {.part = isPart ? partOfRole(row.parts[static_cast<std::size_t>(part.part)].role)
                           : NotePart::block,
            .block = row.firstBlock};
}

std::vector<ColumnSpan> noteSpans(std::span<const NoteCard> cards,
                                  double lead,
                                  double gap,
                                  double top)
{
    std::vector<std::size_t> order(cards.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [cards](std::size_t a, std::size_t b) {
        return cards[a].at < cards[b].at;
    });
    std::vector<ColumnSpan> spans(cards.size());
    double free = top;
    for (const std::size_t card : order) {
        const double from = std::max(cards[card].at - lead, free);
        spans[card] = {from, from + cards[card].height};
        free = spans[card].bottom + gap;
    }
    return spans;
}

} // namespace flopsmith
