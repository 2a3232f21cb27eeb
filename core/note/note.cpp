// SPDX-License-Identifier: MIT
#include "core/note/note.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith {
namespace {

struct PartNames
{
    std::string_view id;
    std::string_view title; ///< by itself, or after the blocks
};

constexpr std::array<PartNames, 10> kParts{{{"stack", "Whole stack"},
                                            {"embedding", "Embedding"},
                                            {"block", ""},
                                            {"norm", "norms"},
                                            {"mixer", "mixer"},
                                            {"cross", "cross-attention"},
                                            {"ffn", "FFN"},
                                            {"encoder_norm", "Encoder norm"},
                                            {"final_norm", "Final norm"},
                                            {"head", "Head"}}};

const PartNames& namesOf(NotePart part)
{
    return kParts.at(static_cast<std::size_t>(part));
}

bool startsCodePoint(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCodePoint));
}

std::string_view firstCodePoints(std::string_view text, std::size_t maxPoints)
{
    std::size_t points = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        points += startsCodePoint(text[i]) ? 1 : 0;
        if (points > maxPoints) {
            return text.substr(0, i);
        }
    }
    return text;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos
        ? std::string_view()
        : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Error noSuchBlock(int block, int layers)
{
    return {"block " + std::to_string(block) + " is none of this model; its blocks are 0 to "
            + std::to_string(layers - 1)};
}

Error noSuchPart(const NoteAnchor& anchor)
{
    const std::string part(nameOf(anchor.part));
    return isOfBlock(anchor.part)
        ? Error{"block " + std::to_string(anchor.block) + " has no " + part
                + "; a note on the whole block has the part block"}
        : Error{"this model has no " + part + "; a note on the whole stack has the part stack"};
}

bool holdsPart(const Model& model, NotePart part)
{
    return part == NotePart::head       ? model.head.kind != HeadKind::none
        : part == NotePart::encoderNorm ? model.hasEncoder()
                                        : true;
}

std::string blocksText(const Model& model, int block)
{
    const int run = model.runOf(block);
    const int repeat = run < 0 ? 1 : model.runs[static_cast<std::size_t>(run)].repeat;
    const bool isWholeRun = repeat > 1 && model.firstBlock(run) == block;
    return isWholeRun
        ? "Blocks " + std::to_string(block + 1) + " \xE2\x80\x93 " + std::to_string(block + repeat)
        : "Block " + std::to_string(block + 1);
}

// The norm of an encoder follows its last block.
int encoderBlocks(const Model& model)
{
    int blocks = 0;
    for (const BlockRun& run : model.runs) {
        blocks += run.block.isEncoder() ? run.repeat : 0;
    }
    return blocks;
}

/// Blocks have even indices, so that a part can be between two of them.
std::pair<int, NotePart> placeInStack(const NoteAnchor& anchor, const Model& model)
{
    switch (anchor.part) {
    case NotePart::stack:
    case NotePart::embedding: return {-1, anchor.part};
    case NotePart::encoderNorm: return {2 * encoderBlocks(model) - 1, anchor.part};
    case NotePart::finalNorm:
    case NotePart::head: return {2 * model.layers(), anchor.part};
    default: return {2 * anchor.block, anchor.part};
    }
}

} // namespace

std::string_view nameOf(NotePart part)
{
    return namesOf(part).id;
}

std::vector<std::string_view> notePartNames()
{
    std::vector<std::string_view> names;
    for (const PartNames& part : kParts) {
        names.push_back(part.id);
    }
    return names;
}

bool isOfBlock(NotePart part)
{
    switch (part) {
    case NotePart::block:
    case NotePart::norm:
    case NotePart::mixer:
    case NotePart::cross:
    case NotePart::ffn: return true;
    case NotePart::stack:
    case NotePart::embedding:
    case NotePart::encoderNorm:
    case NotePart::finalNorm:
    case NotePart::head: break;
    }
    return false;
}

bool holdsNotePart(const Block& block, NotePart part)
{
    switch (part) {
    case NotePart::block: return true;
    case NotePart::norm: return block.holdsMixer() || block.holdsCross() || block.holdsFfn();
    case NotePart::mixer: return block.holdsMixer();
    case NotePart::cross: return block.holdsCross();
    case NotePart::ffn: return block.holdsFfn();
    default: return false;
    }
}

Status checked(const NoteAnchor& anchor, const Model& model)
{
    if (!isOfBlock(anchor.part) && anchor.block >= 0) {
        return Error{std::string(nameOf(anchor.part))
                     + " is outside of the blocks; leave block out"};
    }
    if (!isOfBlock(anchor.part)) {
        return holdsPart(model, anchor.part) ? Status(Done{}) : noSuchPart(anchor);
    }
    const int run = model.runOf(anchor.block);
    if (run < 0) {
        return noSuchBlock(anchor.block, model.layers());
    }
    const Block& block = model.runs[static_cast<std::size_t>(run)].block;
    return holdsNotePart(block, anchor.part) ? Status(Done{}) : noSuchPart(anchor);
}

Status checkedNoteText(std::string_view text)
{
    const std::size_t length = codePoints(text);
    if (length > kLongestNote || trimmed(text).empty()) {
        return Error{"a note has 1 to " + std::to_string(kLongestNote) + " characters, this one "
                     + std::to_string(length)};
    }
    return printableLines(text) == text ? Status(Done{})
                                        : Error{"a note is plain text without control characters"};
}

Status checked(std::span<const Note> notes, const Model& model)
{
    if (notes.size() > kMaxNotes) {
        return Error{": " + std::to_string(notes.size()) + " notes; a design has at most "
                     + std::to_string(kMaxNotes)};
    }
    for (std::size_t i = 0; i < notes.size(); ++i) {
        Status status = checked(notes[i].anchor, model);
        if (status) {
            status = checkedNoteText(notes[i].text);
        }
        if (!status) {
            return Error{"[" + std::to_string(i) + "]: " + status.error().message};
        }
    }
    return Done{};
}

std::string noteText(std::string_view typed)
{
    const std::string plain = printableLines(typed);
    return std::string(trimmed(firstCodePoints(trimmed(plain), kLongestNote)));
}

std::vector<Note> inStackOrder(std::span<const Note> notes, const Model& model)
{
    std::vector<Note> ordered(notes.begin(), notes.end());
    std::stable_sort(ordered.begin(), ordered.end(), [&model](const Note& a, const Note& b) {
        return placeInStack(a.anchor, model) < placeInStack(b.anchor, model);
    });
    return ordered;
}

std::string anchorText(const NoteAnchor& anchor, const Model& model)
{
    const std::string title(namesOf(anchor.part).title);
    if (!isOfBlock(anchor.part)) {
        return title;
    }
    const std::string blocks = blocksText(model, anchor.block);
    return title.empty() ? blocks : blocks + ", " + title;
}

} // namespace flopsmith
