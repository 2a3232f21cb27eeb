// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_products.h"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// The heads of one batched product: one query head of every KV head of a sequence, or one query
// head of all sequences, whichever batch is larger.
struct HeadBatch
{
    const CoreSize& size;
    int sequence;
    int head;
    bool overSequences;

    std::int64_t count() const { return overSequences ? size.batch : size.keyHeads(); }

    std::int64_t queries(std::int64_t stride, int query, int width) const
    {
        return (std::int64_t{sequence} * size.queries + query) * stride
            + std::int64_t{head} * width;
    }
    std::int64_t queryStep(std::int64_t stride, int width) const
    {
        return overSequences ? size.queries * stride : std::int64_t{size.groupSize} * width;
    }
    /// Offset of `row` in keys with `rows` rows per sequence and `width` features per KV head.
    std::int64_t keys(int rows, std::int64_t stride, int row, int width) const
    {
        return (std::int64_t{sequence} * rows + row) * stride
            + std::int64_t{head / size.groupSize} * width;
    }
    std::int64_t keyStep(int rows, std::int64_t stride, int width) const
    {
        return overSequences ? rows * stride : width;
    }
    std::int64_t scores(int query, int key) const
    {
        return ((std::int64_t{sequence} * size.heads + head) * size.queries + query) * size.keys()
            + key;
    }
    std::int64_t scoreStep() const
    {
        const std::int64_t matrix = std::int64_t{size.queries} * size.keys();
        return (overSequences ? size.heads : size.groupSize) * matrix;
    }
};

template <class Work>
void forEachHead(const CoreSize& size, const Work& work)
{
    if (size.batch * size.groupSize > size.heads) {
        for (int head = 0; head < size.heads; ++head) {
            work(HeadBatch{size, 0, head, true});
        }
        return;
    }
    for (int sequence = 0; sequence < size.batch; ++sequence) {
        for (int inGroup = 0; inGroup < size.groupSize; ++inGroup) {
            work(HeadBatch{size, sequence, inGroup, false});
        }
    }
}

// Keys or values of a part: either the features of each head or those that all heads share.
struct Features
{
    Operand rows;
    std::int64_t start;
    std::int64_t step;

    Features(const MatrixRows& of, const ScorePart& part, const HeadBatch& heads, bool shared)
        : rows(part.cached ? of.cached : of.fresh)
    {
        const CoreSize& size = heads.size;
        const int count = part.cached ? size.cached : size.fresh;
        const int row = part.firstKey - (part.cached ? 0 : size.cached);
        const int width = shared ? 0 : of.own;
        start = heads.keys(count, rows.stride, row, width) + (shared ? of.shared : 0);
        step = heads.keyStep(count, rows.stride, width);
    }
};

} // namespace

std::vector<ScorePart> scoreParts(const CoreSize& size)
{
    std::vector<ScorePart> parts;
    for (int query = 0; query < size.queries; query += kStripQueries) {
        const int count = std::min(kStripQueries, size.queries - query);
        const int position = size.firstPosition + query;
        const int last = position + count - 1;
        const int first = position < size.back ? 0 : position - size.back;
        const int end =
            size.keys() - last - 1 < size.forward ? size.keys() : last + size.forward + 1;
        bool begins = true;
        for (const bool cached : {true, false}) {
            const int from = std::max(first, cached ? 0 : size.cached);
            const int to = std::min(end, cached ? size.cached : size.keys());
            if (from < to) {
                parts.push_back({query, count, cached, from, to - from, begins});
                begins = false;
            }
        }
    }
    return parts;
}

void multiplyWithKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& queries,
                      int width,
                      const MatrixRows& keys,
                      const ScorePart& part,
                      const Destination& scores)
{
    forEachHead(size, [&](const HeadBatch& heads) {
        for (const bool shared : {false, true}) {
            const int features = shared ? width - keys.own : keys.own;
            if (features == 0) {
                continue;
            }
            const Features of(keys, part, heads, shared);
            const std::int64_t first =
                heads.queries(queries.stride, part.firstQuery, width) + (shared ? keys.own : 0);
            multiply(device,
                     {part.queries, features, part.keys},
                     shifted(queries, first),
                     Stored::straight,
                     shifted(of.rows, of.start),
                     Stored::transposed,
                     shifted(scores, heads.scores(part.firstQuery, part.firstKey)),
                     shared && keys.own > 0 ? Into::accumulate : Into::overwrite,
                     {heads.count(),
                      heads.queryStep(queries.stride, width),
                      of.step,
                      heads.scoreStep()});
        }
    });
}

void multiplyIntoQueries(const Device& device,
                         const CoreSize& size,
                         const Operand& p,
                         const MatrixRows& values,
                         int width,
                         const ScorePart& part,
                         const Destination& out)
{
    forEachHead(size, [&](const HeadBatch& heads) {
        for (const bool shared : {false, true}) {
            const int features = shared ? width - values.own : values.own;
            if (features == 0) {
                continue;
            }
            const Features of(values, part, heads, shared);
            const std::int64_t first =
                heads.queries(out.stride, part.firstQuery, width) + (shared ? values.own : 0);
            multiply(
                device,
                {part.queries, part.keys, features},
                shifted(p, heads.scores(part.firstQuery, part.firstKey)),
                Stored::straight,
                shifted(of.rows, of.start),
                Stored::straight,
                shifted(out, first),
                part.begins ? Into::overwrite : Into::accumulate,
                {heads.count(), heads.scoreStep(), of.step, heads.queryStep(out.stride, width)});
        }
    });
}

void multiplyIntoKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& p,
                      const Operand& queries,
                      int width,
                      const ScorePart& part,
                      const Destination& to)
{
    forEachHead(size, [&](const HeadBatch& heads) {
        multiply(device,
                 {part.keys, part.queries, width},
                 shifted(p, heads.scores(part.firstQuery, part.firstKey)),
                 Stored::transposed,
                 shifted(queries, heads.queries(queries.stride, part.firstQuery, width)),
                 Stored::straight,
                 shifted(to, heads.keys(size.fresh, to.stride, part.firstKey, width)),
                 Into::accumulate,
                 {heads.count(),
                  heads.scoreStep(),
                  heads.queryStep(queries.stride, width),
                  heads.keyStep(size.fresh, to.stride, width)});
    });
}

} // namespace flopsmith::cuda
