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

StripProducts::StripProducts(Plan& plan,
                             const ScoreSize& size,
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
    m_onDevice = plan.copied(m_addresses);
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

// Heads that write to the same place take turns.
void StripProducts::push(ScoreProduct which,
                         const ProductSize& size,
                         const Side& a,
                         const Side& b,
                         const Side& c,
                         Into into)
{
    std::vector<std::vector<int>> turns;
    std::map<std::int64_t, std::size_t> taken;
    for (int local = 0; local < static_cast<int>(m_strip.units) * m_size.groupSize; ++local) {
        const std::size_t turn = taken[c.offset(local)]++;
        if (turn == turns.size()) {
            turns.emplace_back();
        }
        turns[turn].push_back(local);
    }
    for (const std::vector<int>& heads : turns) {
        const ProductWay way{static_cast<std::int64_t>(heads.size()), into};
        m_strips.back()[static_cast<std::size_t>(which)].push_back(
            {size, {a.first, b.first, c.first}, way, m_addresses.size()});
        for (const Side* const side : {&a, &b, &c}) {
            for (const int local : heads) {
                m_addresses.push_back(shifted(side->first, side->offset(local)).first);
            }
        }
    }
}

void StripProducts::run(const Device& device, std::size_t strip, ScoreProduct which) const
{
    for (const BatchedProduct& product : m_strips[strip][static_cast<std::size_t>(which)]) {
        std::array<Operand, 3> sides = product.sides;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const auto count = static_cast<std::size_t>(product.way.count);
            sides[i].first = m_onDevice + product.addresses + i * count;
        }
        multiplyAt(device, product.size, sides[0], sides[1], sides[2], product.way);
    }
}

} // namespace flopsmith::cuda
