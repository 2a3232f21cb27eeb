// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_columns.h"

#include "core/study/compare/stack_alignment.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace flopsmith {
namespace {

using Mark = ColumnBox::Mark;

constexpr const char* kArrow = " \xE2\x86\x92 ";

void appendWithComma(std::string& text, const std::string& more)
{
    text += (text.empty() || more.empty() ? "" : ", ") + more;
}

std::string partsOf(const StackRow& row)
{
    std::string text;
    for (const StackPart& part : row.parts) {
        appendWithComma(text, part.muted ? part.title + " muted" : part.title);
    }
    return text;
}

// "Blocks 7 – 12"
std::string blocksText(int first, int count)
{
    const std::string from = std::to_string(first + 1);
    return count == 1 ? "Block " + from
                      : "Blocks " + from + " \xE2\x80\x93 " + std::to_string(first + count);
}

// By block: the row that shows it.
std::vector<int> rowsOfBlocks(const ShownStack& stack)
{
    const Model& model = stack.scenario.model;
    std::vector<int> rowOfRun(model.runs.size(), -1);
    for (std::size_t row = 0; row < stack.picture.rows.size(); ++row) {
        if (const StackRow& shown = stack.picture.rows[row]; shown.run >= 0) {
            rowOfRun[static_cast<std::size_t>(shown.run)] = static_cast<int>(row);
        }
    }
    std::vector<int> rows;
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        const int shown = shownRun(model, static_cast<int>(run));
        rows.insert(rows.end(),
                    static_cast<std::size_t>(model.runs[run].repeat),
                    rowOfRun[static_cast<std::size_t>(shown)]);
    }
    return rows;
}

int encoderBlocks(const Model& model)
{
    int count = 0;
    for (const BlockRun& run : model.runs) {
        count += run.block.isEncoder() ? run.repeat : 0;
    }
    return count;
}

Mark markOf(AlignedBlocks::Kind kind)
{
    switch (kind) {
    case AlignedBlocks::Kind::equal: return Mark::equal;
    case AlignedBlocks::Kind::changed: return Mark::changed;
    case AlignedBlocks::Kind::removed: return Mark::removed;
    case AlignedBlocks::Kind::added: return Mark::added;
    }
    return Mark::equal;
}

std::string changesText(const std::vector<BlockDifference>& differences)
{
    std::string text;
    for (const BlockDifference& difference : differences) {
        appendWithComma(text,
                        difference.label + " " + difference.a.text + kArrow + difference.b.text);
    }
    return text;
}

/// A piece of an alignment inside one row of each design and one half of an encoder-decoder.
struct Piece
{
    const AlignedBlocks* of = nullptr;
    BlockRange beside{};
    BlockRange live{};
    int unit = -1; ///< first row of the live unit; for a removed piece that of no unit
    bool encoder = false;
};

/// Matches the parts of two stacks, from the embedding to the head.
class ColumnBuilder
{
public:
    ColumnBuilder(const ShownStack& live, const ShownStack& beside)
        : m_live(live)
        , m_beside(beside)
        , m_liveRows(rowsOfBlocks(live))
        , m_besideRows(rowsOfBlocks(beside))
        , m_alignment(alignedStacks(beside.scenario, live.scenario))
    {}

    std::vector<ColumnGroup> groups()
    {
        cut();
        addSingle(StackRow::Kind::embedding);
        addBlocks(true);
        addSingle(StackRow::Kind::encoderNorm);
        addBlocks(false);
        addSingle(StackRow::Kind::finalNorm);
        addSingle(StackRow::Kind::head);
        return std::move(m_groups);
    }

private:
    static const StackRow* rowOf(const ShownStack& stack, StackRow::Kind kind, int* place = nullptr)
    {
        const std::vector<StackRow>& rows = stack.picture.rows;
        const auto found = std::find_if(
            rows.begin(), rows.end(), [kind](const StackRow& row) { return row.kind == kind; });
        if (place != nullptr) {
            *place = static_cast<int>(found - rows.begin());
        }
        return found == rows.end() ? nullptr : &*found;
    }

    void addSingle(StackRow::Kind kind)
    {
        int row = 0;
        const StackRow* live = rowOf(m_live, kind, &row);
        const StackRow* beside = rowOf(m_beside, kind);
        if (live == nullptr && beside == nullptr) {
            return;
        }
        ColumnBox box{.mark = live == nullptr ? Mark::removed
                          : beside == nullptr ? Mark::added
                                              : Mark::equal,
                      .title = (beside != nullptr ? beside : live)->title,
                      .row = live != nullptr ? row : -1};
        if (beside != nullptr) {
            box.parts = beside->parts.front().detail;
        }
        if (live != nullptr && beside != nullptr && saysOtherwise(*live, *beside)) {
            box.mark = Mark::changed;
            const bool named = live->title != beside->title;
            box.changes = wordsOf(*beside, named) + kArrow + wordsOf(*live, named);
        }
        if (live == nullptr) {
            addBetween(std::move(box));
        } else {
            m_groups.push_back({.firstRow = row, .rows = 1, .boxes = {std::move(box)}});
            m_next = row + 1;
        }
    }

    static bool saysOtherwise(const StackRow& live, const StackRow& beside)
    {
        return live.title != beside.title
            || live.parts.front().detail != beside.parts.front().detail;
    }

    static std::string wordsOf(const StackRow& row, bool named)
    {
        std::string text = named ? row.title : "";
        appendWithComma(text, row.parts.front().detail);
        return text;
    }

    // For neighbours between the same rows.
    void addBetween(ColumnBox box)
    {
        if (m_groups.empty() || m_groups.back().rows > 0) {
            m_groups.push_back({.firstRow = m_next});
        }
        m_groups.back().boxes.push_back(std::move(box));
    }

    // The alignment in pieces that have one row on each side.
    void cut()
    {
        const int liveEncoder = encoderBlocks(m_live.scenario.model);
        const int besideEncoder = encoderBlocks(m_beside.scenario.model);
        for (const AlignedBlocks& blocks : m_alignment) {
            const int count = std::max(blocks.a.count, blocks.b.count);
            for (int from = 0; from < count;) {
                int to = from + 1;
                while (to < count && isOnePiece(blocks, from, to, besideEncoder, liveEncoder)) {
                    ++to;
                }
                m_pieces.push_back(pieceOf(blocks, from, to, besideEncoder, liveEncoder));
                from = to;
            }
        }
    }

    bool isOnePiece(const AlignedBlocks& blocks, int from, int to, int encoderA, int encoderB) const
    {
        const auto same = [from, to](const BlockRange& range, int encoder, const auto& idOf) {
            const int one = range.first + from;
            const int other = range.first + to;
            return range.count == 0
                || (idOf(one) == idOf(other) && (one < encoder) == (other < encoder));
        };
        return same(blocks.a,
                    encoderA,
                    [this](int block) { return m_besideRows[static_cast<std::size_t>(block)]; })
            && same(blocks.b, encoderB, [this](int block) { return unitOf(block); });
    }

    Piece pieceOf(const AlignedBlocks& blocks, int from, int to, int encoderA, int encoderB) const
    {
        const auto part = [from, to](const BlockRange& range) {
            return range.count == 0 ? BlockRange{range.first, 0}
                                    : BlockRange{range.first + from, to - from};
        };
        Piece piece{.of = &blocks, .beside = part(blocks.a), .live = part(blocks.b)};
        const bool hasLive = piece.live.count > 0;
        piece.unit = hasLive ? unitOf(piece.live.first) : -1;
        piece.encoder = hasLive ? piece.live.first < encoderB : piece.beside.first < encoderA;
        return piece;
    }

    // The row of a live block, or the first row of its pattern.
    int unitOf(int block) const
    {
        const int row = m_liveRows[static_cast<std::size_t>(block)];
        const int pattern = m_live.picture.rows[static_cast<std::size_t>(row)].pattern;
        return pattern < 0 ? row
                           : m_live.picture.patterns[static_cast<std::size_t>(pattern)].firstRow;
    }

    int rowsOfUnit(int unit) const
    {
        const int pattern = m_live.picture.rows[static_cast<std::size_t>(unit)].pattern;
        return pattern < 0
            ? 1
            : m_live.picture.patterns[static_cast<std::size_t>(pattern)].lastRow - unit + 1;
    }

    // A removed piece between two pieces of one live unit belongs to that unit.
    void addBlocks(bool encoder)
    {
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            const Piece& piece = m_pieces[i];
            if (piece.encoder != encoder) {
                continue;
            }
            if (piece.unit < 0 && !(isOpen(piece) && comesAgain(i))) {
                addBetween(boxOf(piece));
                continue;
            }
            if (piece.unit >= 0 && !isOpen(piece)) {
                const int rows = rowsOfUnit(piece.unit);
                m_groups.push_back({.firstRow = piece.unit, .rows = rows});
                m_next = piece.unit + rows;
            }
            addInto(m_groups.back().boxes, piece);
        }
    }

    // Whether the last group is the piece's unit or, of a removed piece, any unit of blocks.
    bool isOpen(const Piece& piece) const
    {
        if (m_groups.empty() || m_groups.back().rows == 0) {
            return false;
        }
        const int first = m_groups.back().firstRow;
        const bool holdsBlocks = m_live.picture.rows[static_cast<std::size_t>(first)].run >= 0;
        return holdsBlocks && (piece.unit < 0 || piece.unit == first);
    }

    // Whether the unit of the last group continues after a removed piece.
    bool comesAgain(std::size_t piece) const
    {
        const auto next = std::find_if(m_pieces.begin() + static_cast<std::ptrdiff_t>(piece),
                                       m_pieces.end(),
                                       [](const Piece& each) { return each.unit >= 0; });
        return next != m_pieces.end() && next->unit == m_groups.back().firstRow;
    }

    // Equal neighbours at one unit become one box.
    void addInto(std::vector<ColumnBox>& boxes, const Piece& piece)
    {
        const bool joins = !boxes.empty() && boxes.back().mark == Mark::equal
            && markOf(piece.of->kind) == Mark::equal && m_last.count > 0
            && m_last.first + m_last.count == piece.beside.first;
        if (!joins) {
            boxes.push_back(boxOf(piece));
            return;
        }
        const Piece whole{.of = piece.of,
                          .beside = {m_last.first, m_last.count + piece.beside.count},
                          .live = piece.live};
        const std::string parts = boxes.back().parts;
        ColumnBox box = boxOf(whole);
        box.parts = parts == box.parts ? parts : "as in the live design";
        box.row = boxes.back().row;
        boxes.back() = std::move(box);
    }

    ColumnBox boxOf(const Piece& piece)
    {
        m_last = piece.beside;
        const bool isThere = piece.beside.count > 0;
        const BlockRange& named = isThere ? piece.beside : piece.live;
        ColumnBox box{.mark = markOf(piece.of->kind),
                      .title = blocksText(named.first, named.count),
                      .changes = changesText(piece.of->differences)};
        if (isThere) {
            const int row = m_besideRows[static_cast<std::size_t>(piece.beside.first)];
            box.parts = partsOf(m_beside.picture.rows[static_cast<std::size_t>(row)]);
        }
        if (piece.live.count > 0) {
            box.row = m_liveRows[static_cast<std::size_t>(piece.live.first)];
        }
        return box;
    }

    ShownStack m_live;
    ShownStack m_beside;
    std::vector<int> m_liveRows; ///< by block
    std::vector<int> m_besideRows;
    std::vector<AlignedBlocks> m_alignment; ///< from the compared design to the live one
    std::vector<Piece> m_pieces;
    std::vector<ColumnGroup> m_groups;
    BlockRange m_last{}; ///< blocks of the last box
    int m_next = 0; ///< row after the last group
};

} // namespace

std::string_view ColumnBox::sign() const
{
    switch (mark) {
    case Mark::equal: return "=";
    case Mark::changed: return "~";
    case Mark::added: return "+";
    case Mark::removed: return "\xE2\x88\x92";
    }
    return "";
}

std::string ColumnBox::text() const
{
    std::string text = std::string(sign()) + " " + title;
    appendWithComma(text, mark == Mark::added ? "in the live design alone" : parts);
    appendWithComma(text, mark == Mark::removed ? "not in the live design" : changes);
    return text;
}

std::vector<ColumnGroup> columnGroups(const ShownStack& live, const ShownStack& beside)
{
    return ColumnBuilder(live, beside).groups();
}

ColumnLayout columnLayout(std::span<const ColumnGroup> groups,
                          std::span<const ColumnSpan> rows,
                          double gap,
                          double minHeight)
{
    ColumnLayout layout{.before = std::vector<double>(rows.size() + 1, 0.0)};
    double moved = 0.0;
    double end = rows.empty() ? 0.0 : rows.front().top - gap;
    for (const ColumnGroup& group : groups) {
        const auto count = static_cast<double>(group.boxes.size());
        const auto first = static_cast<std::size_t>(group.firstRow);
        const auto behind = first + static_cast<std::size_t>(group.rows);
        const double need = count * minHeight + (count - 1.0) * gap;
        const double live =
            group.rows > 0 ? rows[behind - 1].bottom - rows[first].top : -gap; // none, and no gap
        const double top = group.rows > 0 ? rows[first].top + moved : end + gap;
        const double more = std::max(0.0, need - live);
        const double height = group.rows > 0 ? live + more : need;
        layout.before[behind] += more;
        moved += more;
        const double each = (height - (count - 1.0) * gap) / count;
        for (std::size_t box = 0; box < group.boxes.size(); ++box) {
            const double from = top + static_cast<double>(box) * (each + gap);
            layout.boxes.push_back({from, from + each});
        }
        end = top + height;
    }
    return layout;
}

} // namespace flopsmith
