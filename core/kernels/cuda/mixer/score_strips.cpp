// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/score_strips.h"

#include <algorithm>
#include <utility>

namespace flopsmith::cuda {
namespace {

Operand gradientOf(const HeadColumns& columns)
{
    return operandAt(columns.of->gradient, columns.of->stride);
}

// A head of a strip, by its number there.
struct Head
{
    std::int64_t sequence;
    std::int64_t keyHead;
    std::int64_t number;

    Head(const ScoreSize& size, const Strip& strip, int local)
    {
        const std::int64_t keyHeads = size.heads / size.groupSize;
        const std::int64_t unit = strip.firstUnit + local / size.groupSize;
        sequence = unit / keyHeads;
        keyHead = unit % keyHeads;
        number = keyHead * size.groupSize + local % size.groupSize;
    }
};

} // namespace

std::vector<Strip> scoreStrips(const ScoreSize& size, int keys, std::int64_t scoresAtOnce)
{
    const bool whole = scoresAtOnce == 0;
    const std::int64_t allUnits = size.batch * (size.heads / size.groupSize);
    const std::int64_t ofQuery = std::int64_t{size.groupSize} * keys;
    const int most = std::min(size.queries, kStripQueries);
    const auto queries =
        whole ? most : static_cast<int>(std::clamp<std::int64_t>(scoresAtOnce / ofQuery, 1, most));
    const std::int64_t units = whole
        ? allUnits
        : std::clamp<std::int64_t>(scoresAtOnce / (ofQuery * queries), 1, allUnits);
    std::vector<Strip> strips;
    for (std::int64_t unit = 0; unit < allUnits; unit += units) {
        for (int query = 0; query < size.queries; query += queries) {
            Strip strip{.firstUnit = unit,
                        .units = std::min(units, allUnits - unit),
                        .firstQuery = query,
                        .queries = std::min(queries, size.queries - query)};
            const int position = size.firstPosition + query;
            const int last = position + strip.queries - 1;
            strip.firstKey = position < size.back ? 0 : position - size.back;
            strip.endKey = keys - last - 1 < size.forward ? keys : last + size.forward + 1;
            strip.start = whole ? std::int64_t{query} * keys : 0;
            strip.headStep = std::int64_t{whole ? size.queries : strip.queries} * keys;
            strips.push_back(strip);
        }
    }
    return strips;
}

std::int64_t scoresInMemory(const ScoreSize& size, int keys, const std::vector<Strip>& strips)
{
    const Strip& first = strips.front(); // none has more heads or queries
    return first.units * size.groupSize * std::max(first.headStep, std::int64_t{keys});
}

StripProducts::StripProducts(const ScoreSize& size,
                             const std::vector<KeyRange>& ranges,
                             const std::vector<Strip>& strips,
                             ScoreOperands operands)
    : m_size(size)
    , m_operands(std::move(operands))
{
    for (const Strip& strip : strips) {
        m_strips.emplace_back();
        bool begins = true;
        int first = 0;
        for (const KeyRange& range : ranges) {
            if (first < strip.endKey && first + range.count > strip.firstKey) {
                add(strip, range, first, std::exchange(begins, false));
            }
            first += range.count;
        }
    }
}

// The products of a strip with the keys of a range that it sees.
void StripProducts::add(const Strip& strip, const KeyRange& range, int firstOfRange, bool begins)
{
    m_strip = strip;
    m_perSequence = range.count;
    m_firstOfRange = firstOfRange;
    m_firstKey = std::max(strip.firstKey, firstOfRange);
    const int keys = std::min(strip.endKey, firstOfRange + range.count) - m_firstKey;
    const int queries = strip.queries;
    const std::int64_t width = range.values.width;
    const HeadColumns ofOut{.step = width, .width = width};
    const Side values = ofKeys(m_operands.rows.at(range.values.of), range.values);
    const Side p = ofScores(m_operands.probabilities);
    const Into into = begins ? Into::overwrite : Into::accumulate;
    push(ScoreProduct::sums,
         {queries, keys, width},
         p,
         values,
         ofQueries(m_operands.out, ofOut),
         into);
    addPieces(range, keys);
    if (m_operands.dOut.first != nullptr) {
        const Side dOut = ofQueries(m_operands.dOut, ofOut);
        const Side dValues = ofKeys(gradientOf(range.values), range.values);
        push(ScoreProduct::valueGradients,
             {keys, queries, width},
             p.transposed(),
             dOut,
             dValues,
             Into::accumulate);
        push(ScoreProduct::probabilityGradients,
             {queries, width, keys},
             dOut,
             values.transposed(),
             ofScores(m_operands.gradients),
             Into::overwrite);
    }
}

void StripProducts::addPieces(const KeyRange& range, std::int64_t keys)
{
    const std::int64_t queries = m_strip.queries;
    Into into = Into::overwrite;
    for (const KeyPiece& piece : range.pieces) {
        const std::int64_t width = piece.keys.width;
        const Side q = ofQueries(m_operands.rows.at(piece.queries.of), piece.queries);
        const Side k = ofKeys(m_operands.rows.at(piece.keys.of), piece.keys);
        const Side scores = ofScores(m_operands.scores);
        push(ScoreProduct::scores, {queries, width, keys}, q, k.transposed(), scores, into);
        into = Into::accumulate;
        if (m_operands.dOut.first != nullptr) {
            const Side dScores = ofScores(m_operands.dScores);
            const Side dQ = ofQueries(gradientOf(piece.queries), piece.queries);
            const Side dK = ofKeys(gradientOf(piece.keys), piece.keys);
            push(ScoreProduct::queryGradients, {queries, keys, width}, dScores, k, dQ, into);
            push(ScoreProduct::keyGradients,
                 {keys, queries, width},
                 dScores.transposed(),
                 q,
                 dK,
                 into);
        }
    }
}

StripProducts::Side StripProducts::ofScores(const Operand& matrix) const
{
    const std::int64_t first = m_strip.start + m_firstKey;
    return {matrix, [=, step = m_strip.headStep](int local) { return first + local * step; }};
}

StripProducts::Side StripProducts::ofQueries(const Operand& rows, const HeadColumns& columns) const
{
    return {rows, [this, stride = rows.stride, columns](int local) {
                const Head head(m_size, m_strip, local);
                const std::int64_t row = head.sequence * m_size.queries + m_strip.firstQuery;
                return row * stride + columns.first + head.number * columns.step;
            }};
}

StripProducts::Side StripProducts::ofKeys(const Operand& rows, const HeadColumns& columns) const
{
    return {rows, [this, stride = rows.stride, columns](int local) {
                const Head head(m_size, m_strip, local);
                const std::int64_t row =
                    head.sequence * m_perSequence + m_firstKey - m_firstOfRange;
                return row * stride + columns.first + head.keyHead * columns.step;
            }};
}

Operand StripProducts::Side::batch(std::int64_t from, std::int64_t step) const
{
    Operand matrices = shifted(first, from);
    matrices.step = step;
    return matrices;
}

// As few batches as possible: those heads of a group that have the same place in theirs, as long as
// their matrices are equally far apart. Heads that write to the same place come one after the other.
void StripProducts::push(ScoreProduct which,
                         const ProductSize& size,
                         const Side& a,
                         const Side& b,
                         const Side& c,
                         Into into)
{
    using Offsets = std::array<std::int64_t, 3>;
    const int units = static_cast<int>(m_strip.units);
    const int heads = units * m_size.groupSize;
    const auto offsetsOf = [&](int i) {
        const int local = i % units * m_size.groupSize + i / units;
        return Offsets{a.offset(local), b.offset(local), c.offset(local)};
    };
    for (int begin = 0, end = 1; begin < heads; begin = end++) {
        const Offsets first = offsetsOf(begin);
        Offsets last = first;
        Offsets steps{};
        for (; end < heads; ++end) {
            const Offsets next = offsetsOf(end);
            const Offsets apart{next[0] - last[0], next[1] - last[1], next[2] - last[2]};
            const bool follows = apart[0] >= 0 && apart[1] >= 0 && apart[2] > 0;
            if (!follows || (end > begin + 1 && apart != steps)) {
                break;
            }
            steps = apart;
            last = next;
        }
        m_strips.back()[static_cast<std::size_t>(which)].push_back({size,
                                                                    a.batch(first[0], steps[0]),
                                                                    b.batch(first[1], steps[1]),
                                                                    c.batch(first[2], steps[2]),
                                                                    {end - begin, into}});
    }
}

void StripProducts::run(const Device& device, std::size_t strip, ScoreProduct which) const
{
    for (const BatchedProduct& of : m_strips[strip][static_cast<std::size_t>(which)]) {
        multiply(device, of.size, of.a, of.b, of.c, of.way);
    }
}

} // namespace flopsmith::cuda
