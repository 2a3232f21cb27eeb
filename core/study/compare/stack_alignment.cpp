// SPDX-License-Identifier: MIT
#include "core/study/compare/stack_alignment.h"

#include "core/ffn/composed.h"
#include "core/study/compare/block_differences.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

template <class Spec>
void appendFields(std::string& text, const std::vector<Field<Spec>>& fields, const Spec& spec)
{
    for (const Field<Spec>& field : fields) {
        if (field.applies(spec)) {
            text += std::string(field.text.key) + "=" + valueText(field.value(spec)) + ";";
        }
    }
}

void appendFfnFields(std::string& text, const FfnSpec& ffn)
{
    text += std::string(info(ffn).id) + "{";
    appendFields(text, fields(ffn), ffn);
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            appendFfnFields(text, stage.spec);
        }
    }
    text += "}";
}

void appendMixerFields(std::string& text, const MixerSpec& mixer)
{
    text += std::string(info(mixer).id) + "{";
    appendFields(text, fields(mixer), mixer);
    text += "}";
}

// All fields that apply: a key that is equal for equal blocks and orders the others. A part that is
// not executed has no fields.
std::string fieldsText(const Block& block)
{
    std::string text;
    if (block.hasMixer()) {
        appendMixerFields(text, block.mixer);
    }
    text += "/";
    if (block.hasCross()) {
        appendMixerFields(text, block.cross);
    }
    text += "/";
    if (block.hasFfn()) {
        appendFfnFields(text, block.ffn);
    }
    appendFields(text, Block::fields(), block);
    return text;
}

/// A maximal range of equal blocks.
struct Piece
{
    int kind = 0; ///< the same number for equal blocks of both models
    int count = 0;
    int first = 0;
    int run = 0; ///< the run of its block

    int end() const { return first + count; }
};

using Pieces = std::vector<Piece>;
using Kinds = std::map<std::string, int>;

// Numbers the kinds in the order of their fields, which no order of the models changes.
Kinds kindsOf(const Model& a, const Model& b)
{
    Kinds kinds;
    for (const Model* model : {&a, &b}) {
        for (const BlockRun& run : model->runs) {
            kinds.emplace(fieldsText(run.block), 0);
        }
    }
    int number = 0;
    for (auto& [fields, kind] : kinds) {
        kind = number++;
    }
    return kinds;
}

Pieces piecesOf(const Model& model, const Kinds& kinds)
{
    Pieces pieces;
    int first = 0;
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const BlockRun& run = model.runs[i];
        const int kind = kinds.at(fieldsText(run.block));
        if (!pieces.empty() && pieces.back().kind == kind) {
            pieces.back().count += run.repeat;
        } else if (run.repeat > 0) {
            pieces.push_back({kind, run.repeat, first, static_cast<int>(i)});
        }
        first += run.repeat;
    }
    return pieces;
}

int blocksOf(const Pieces& pieces)
{
    return pieces.empty() ? 0 : pieces.back().end();
}

// The piece of every block, and one more after the last.
std::vector<std::size_t> pieceByBlock(const Pieces& pieces)
{
    std::vector<std::size_t> byBlock;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        byBlock.insert(byBlock.end(), static_cast<std::size_t>(pieces[i].count), i);
    }
    byBlock.push_back(pieces.size());
    return byBlock;
}

/// The lengths of the longest common subsequences of the blocks from x on in one model and from y
/// on in the other. Equal blocks are matched as long as both pieces last, and for different ones
/// the rest of one piece is skipped: so x or y is the start of a piece, and other pairs need not be
/// stored.
class CommonLengths
{
public:
    CommonLengths(const Pieces& a, const Pieces& b)
        : m_a(a)
        , m_b(b)
        , m_pieceOfA(pieceByBlock(a))
        , m_pieceOfB(pieceByBlock(b))
        , m_lengths(m_pieceOfA.size())
    {
        for (int x = blocksOf(a); x >= 0; --x) {
            fillRow(x);
        }
    }

    const Piece& pieceOfA(int x) const { return m_a[m_pieceOfA[static_cast<std::size_t>(x)]]; }
    const Piece& pieceOfB(int y) const { return m_b[m_pieceOfB[static_cast<std::size_t>(y)]]; }

    /// Of the pairs that are kept.
    int at(int x, int y) const
    {
        const std::vector<int>& row = m_lengths[static_cast<std::size_t>(x)];
        return row[isStart(x) ? static_cast<std::size_t>(y)
                              : m_pieceOfB[static_cast<std::size_t>(y)]];
    }

private:
    bool isStart(int x) const { return x == blocksOf(m_a) || pieceOfA(x).first == x; }

    void fillRow(int x)
    {
        std::vector<int>& row = m_lengths[static_cast<std::size_t>(x)];
        if (isStart(x)) {
            row.resize(m_pieceOfB.size());
            for (int y = blocksOf(m_b); y >= 0; --y) {
                row[static_cast<std::size_t>(y)] = length(x, y);
            }
            return;
        }
        row.resize(m_b.size() + 1);
        for (std::size_t piece = m_b.size(); piece-- > 0;) {
            row[piece] = length(x, m_b[piece].first);
        }
    }

    int length(int x, int y) const
    {
        if (x == blocksOf(m_a) || y == blocksOf(m_b)) {
            return 0;
        }
        const Piece& a = pieceOfA(x);
        const Piece& b = pieceOfB(y);
        if (a.kind == b.kind) {
            const int common = std::min(a.end() - x, b.end() - y);
            return common + at(x + common, y + common);
        }
        return std::max(at(a.end(), y), at(x, b.end()));
    }

    const Pieces& m_a;
    const Pieces& m_b;
    std::vector<std::size_t> m_pieceOfA;
    std::vector<std::size_t> m_pieceOfB;
    std::vector<std::vector<int>> m_lengths; ///< by x; then by y, or by piece where x is no start
};

/// Walks along a longest common subsequence of two stacks and writes the rows.
class StackAligner
{
public:
    StackAligner(const Scenario& a,
                 const Scenario& b,
                 const Pieces& piecesOfA,
                 const Pieces& piecesOfB)
        : m_a(a)
        , m_b(b)
        , m_lengths(piecesOfA, piecesOfB)
        , m_blocksOfA(blocksOf(piecesOfA))
        , m_blocksOfB(blocksOf(piecesOfB))
    {}

    std::vector<AlignedBlocks> rows()
    {
        int x = 0;
        int y = 0;
        while (x < m_blocksOfA && y < m_blocksOfB) {
            const Piece& a = m_lengths.pieceOfA(x);
            const Piece& b = m_lengths.pieceOfB(y);
            if (a.kind == b.kind) {
                const int common = std::min(a.end() - x, b.end() - y);
                addGap(x, y);
                addEqual(common);
                x += common;
                y += common;
            } else if (m_lengths.at(a.end(), y) >= m_lengths.at(x, b.end())) {
                x = a.end();
            } else {
                y = b.end();
            }
        }
        addGap(m_blocksOfA, m_blocksOfB);
        return std::move(m_rows);
    }

private:
    using RowKind = AlignedBlocks::Kind;

    void addEqual(int count)
    {
        if (m_rows.empty() || m_rows.back().kind != RowKind::equal) {
            m_rows.push_back({RowKind::equal, {m_x, 0}, {m_y, 0}});
        }
        m_rows.back().a.count += count;
        m_rows.back().b.count += count;
        m_x += count;
        m_y += count;
    }

    // The blocks before x and y that have no row yet; none of them corresponds to a block of the
    // other model.
    void addGap(int x, int y)
    {
        while (m_x < x && m_y < y) {
            const Piece& a = m_lengths.pieceOfA(m_x);
            const Piece& b = m_lengths.pieceOfB(m_y);
            const bool encodesA = blockOfRun(m_a, a.run).isEncoder();
            const bool encodesB = blockOfRun(m_b, b.run).isEncoder();
            const int countOfA = std::min(a.end(), x) - m_x;
            const int countOfB = std::min(b.end(), y) - m_y;
            if (encodesA == encodesB) {
                addChanged(a.run, b.run, std::min(countOfA, countOfB));
            } else if (encodesA) {
                addRemoved(countOfA);
            } else {
                addAdded(countOfB);
            }
        }
        while (m_x < x) {
            addRemoved(std::min(m_lengths.pieceOfA(m_x).end(), x) - m_x);
        }
        while (m_y < y) {
            addAdded(std::min(m_lengths.pieceOfB(m_y).end(), y) - m_y);
        }
    }

    void addChanged(int runOfA, int runOfB, int count)
    {
        m_rows.push_back({RowKind::changed,
                          {m_x, count},
                          {m_y, count},
                          blockDifferences(m_a, runOfA, m_b, runOfB)});
        m_x += count;
        m_y += count;
    }

    void addRemoved(int count)
    {
        m_rows.push_back({RowKind::removed, {m_x, count}, {m_y, 0}});
        m_x += count;
    }

    void addAdded(int count)
    {
        m_rows.push_back({RowKind::added, {m_x, 0}, {m_y, count}});
        m_y += count;
    }

    const Scenario& m_a;
    const Scenario& m_b;
    CommonLengths m_lengths;
    int m_blocksOfA;
    int m_blocksOfB;
    int m_x = 0; ///< the first block that has no row yet
    int m_y = 0;
    std::vector<AlignedBlocks> m_rows;
};

// A removal becomes an addition when the sides are exchanged.
AlignedBlocks::Kind exchanged(AlignedBlocks::Kind kind)
{
    switch (kind) {
    case AlignedBlocks::Kind::removed: return AlignedBlocks::Kind::added;
    case AlignedBlocks::Kind::added: return AlignedBlocks::Kind::removed;
    default: return kind;
    }
}

void exchangeSides(std::vector<AlignedBlocks>& rows)
{
    for (AlignedBlocks& row : rows) {
        row.kind = exchanged(row.kind);
        std::swap(row.a, row.b);
        for (BlockDifference& difference : row.differences) {
            std::swap(difference.a, difference.b);
        }
    }
}

bool comesBefore(const Pieces& a, const Pieces& b)
{
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(), [](const Piece& x, const Piece& y) {
            return std::pair(x.kind, x.count) < std::pair(y.kind, y.count);
        });
}

} // namespace

std::vector<AlignedBlocks> alignedStacks(const Scenario& a, const Scenario& b)
{
    const Kinds kinds = kindsOf(a.model, b.model);
    const Pieces piecesOfA = piecesOf(a.model, kinds);
    const Pieces piecesOfB = piecesOf(b.model, kinds);
    // Among several longest subsequences the order of the stacks decides, not the order of the
    // arguments.
    if (comesBefore(piecesOfB, piecesOfA)) {
        std::vector<AlignedBlocks> rows = StackAligner(b, a, piecesOfB, piecesOfA).rows();
        exchangeSides(rows);
        return rows;
    }
    return StackAligner(a, b, piecesOfA, piecesOfB).rows();
}

} // namespace flopsmith
