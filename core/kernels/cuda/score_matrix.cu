// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/score_matrix.h"

#include "core/kernels/cuda/score_rows.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

// One block per head, sequence and strip: the sums of the gradients of scores by offset. All that
// are farther than the farthest share the first or the last.
__global__ void sumByOffset(CoreSize size, const float* gradients, int strips, float* partial)
{
    const int strip = static_cast<int>(blockIdx.x) % strips;
    const int sequence = static_cast<int>(blockIdx.x) / strips % static_cast<int>(size.batch);
    const int head = static_cast<int>(blockIdx.x) / strips / static_cast<int>(size.batch);
    const int keys = size.cached + size.fresh;
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int firstQuery = strip * kStripQueries;
    const int endQuery =
        firstQuery + kStripQueries < size.queries ? firstQuery + kStripQueries : size.queries;
    const float* const matrix =
        gradients + (std::int64_t{sequence} * size.heads + head) * size.queries * keys;
    float* const sums = partial + static_cast<std::int64_t>(blockIdx.x) * kOffsets;
    for (int slot = 1 + thread; slot < kOffsets - 1; slot += threads) {
        float sum = 0.0F;
        for (int query = firstQuery; query < endQuery; ++query) {
            const int position = size.firstPosition + query;
            const int key = position + slot - kFarthestOffset;
            sum += sees(size, position, key) ? matrix[std::int64_t{query} * keys + key] : 0.0F;
        }
        sums[slot] = sum;
    }
    float before = 0.0F;
    float behind = 0.0F;
    for (int query = firstQuery; query < endQuery; ++query) {
        const int position = size.firstPosition + query;
        const float* const row = matrix + std::int64_t{query} * keys;
        for (int key = firstSeen(size, position) + thread; key <= position - kFarthestOffset;
             key += threads) {
            before += row[key];
        }
        for (int key = position + kFarthestOffset + thread; key < endSeen(size, position);
             key += threads) {
            behind += row[key];
        }
    }
    before = sumOverBlock(before);
    behind = sumOverBlock(behind);
    if (thread == 0) {
        sums[0] = before;
        sums[kOffsets - 1] = behind;
    }
}

// One block per head: −Σ share·centre of its rows.
__global__ void sumOfSinks(CoreSize size, const float* shares, const float* centres, float* sums)
{
    const int head = static_cast<int>(blockIdx.x);
    float sum = 0.0F;
    for (std::int64_t i = threadIdx.x; i < size.batch * size.queries; i += blockDim.x) {
        const std::int64_t sequence = i / size.queries;
        const std::int64_t row =
            (sequence * size.heads + head) * size.queries + i - sequence * size.queries;
        sum -= shares[row] * centres[row];
    }
    sum = sumOverBlock(sum);
    if (threadIdx.x == 0) {
        sums[head] = sum;
    }
}

Operand from(const Operand& rows, std::int64_t elements)
{
    const auto bytes = elements * static_cast<std::int64_t>(bytesOf(rows.element));
    return {static_cast<const std::byte*>(rows.first) + bytes, rows.stride, rows.element};
}
Destination from(const Destination& rows, std::int64_t elements)
{
    const auto bytes = elements * static_cast<std::int64_t>(bytesOf(rows.element));
    return {static_cast<std::byte*>(rows.first) + bytes, rows.stride, rows.element};
}

// Some queries and those keys of the cache, or behind it, that one of them sees.
struct Part
{
    int firstQuery;
    int queries;
    bool cached;
    int firstKey; ///< of all
    int keys;
    bool begins; ///< the first of its queries
};

std::vector<Part> partsOf(const CoreSize& size)
{
    std::vector<Part> parts;
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

// Heads, one of each that shares its keys, or one head of all sequences: as many at once as a batch
// of products can take.
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
        return overSequences ? size.queries * stride : std::int64_t{size.sharers} * width;
    }
    /// Of rows per sequence, from `row` on, with `width` features per head of keys.
    std::int64_t keys(int rows, std::int64_t stride, int row, int width) const
    {
        return (std::int64_t{sequence} * rows + row) * stride
            + std::int64_t{head / size.sharers} * width;
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
        return (overSequences ? size.heads : size.sharers) * matrix;
    }
};

template <class Work>
void forEachHead(const CoreSize& size, const Work& work)
{
    if (size.batch * size.sharers > size.heads) {
        for (int head = 0; head < size.heads; ++head) {
            work(HeadBatch{size, 0, head, true});
        }
        return;
    }
    for (int sequence = 0; sequence < size.batch; ++sequence) {
        for (int sharer = 0; sharer < size.sharers; ++sharer) {
            work(HeadBatch{size, sequence, sharer, false});
        }
    }
}

// Rows of keys or values of a part, own or shared features of the heads.
struct Features
{
    Operand rows;
    std::int64_t start;
    std::int64_t step;

    Features(const MatrixRows& of, const Part& part, const HeadBatch& heads, bool shared)
    {
        const CoreSize& size = heads.size;
        const int count = part.cached ? size.cached : size.fresh;
        const int row = part.firstKey - (part.cached ? 0 : size.cached);
        rows = part.cached ? of.cached : of.fresh;
        const int width = shared ? 0 : of.own;
        start = heads.keys(count, rows.stride, row, width) + (shared ? of.shared : 0);
        step = heads.keyStep(count, rows.stride, width);
    }
};

// c = q·kᵀ of a part.
void multiplyWithKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& queries,
                      int width,
                      const MatrixRows& keys,
                      const Part& part,
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
                     from(queries, first),
                     Stored::straight,
                     from(of.rows, of.start),
                     Stored::transposed,
                     from(scores, heads.scores(part.firstQuery, part.firstKey)),
                     shared && keys.own > 0 ? Into::add : Into::overwrite,
                     {heads.count(),
                      heads.queryStep(queries.stride, width),
                      of.step,
                      heads.scoreStep()});
        }
    });
}

// out (+)= p·v of a part, `width` features per head of queries; or of dScores·k.
void multiplyIntoQueries(const Device& device,
                         const CoreSize& size,
                         const Operand& p,
                         const MatrixRows& values,
                         int width,
                         const Part& part,
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
                from(p, heads.scores(part.firstQuery, part.firstKey)),
                Stored::straight,
                from(of.rows, of.start),
                Stored::straight,
                from(out, first),
                part.begins ? Into::overwrite : Into::add,
                {heads.count(), heads.scoreStep(), of.step, heads.queryStep(out.stride, width)});
        }
    });
}

// to += pᵀ·q of a part, `width` features of each head of keys.
void multiplyIntoKeys(const Device& device,
                      const CoreSize& size,
                      const Operand& p,
                      const Operand& queries,
                      int width,
                      const Part& part,
                      const Destination& to)
{
    forEachHead(size, [&](const HeadBatch& heads) {
        multiply(device,
                 {part.keys, part.queries, width},
                 from(p, heads.scores(part.firstQuery, part.firstKey)),
                 Stored::transposed,
                 from(queries, heads.queries(queries.stride, part.firstQuery, width)),
                 Stored::straight,
                 from(to, heads.keys(size.fresh, to.stride, part.firstKey, width)),
                 Into::add,
                 {heads.count(),
                  heads.scoreStep(),
                  heads.queryStep(queries.stride, width),
                  heads.keyStep(size.fresh, to.stride, width)});
    });
}

void clearColumns(const Device& device,
                  float* first,
                  std::int64_t stride,
                  int columns,
                  std::int64_t rows)
{
    check(cudaMemset2DAsync(first,
                            static_cast<std::size_t>(stride) * sizeof(float),
                            0,
                            static_cast<std::size_t>(columns) * sizeof(float),
                            static_cast<std::size_t>(rows),
                            device.stream()),
          "clear gradients");
}

std::size_t elementsOf(const CoreSize& size)
{
    return static_cast<std::size_t>(size.rows()) * static_cast<std::size_t>(size.keys());
}

std::size_t cachedElements(const CoreSize& size, std::int64_t stride)
{
    return static_cast<std::size_t>(size.batch * size.cached * stride);
}

bool isHalf(const Device& device)
{
    return operandElement(device) == Element::bfloat16;
}

} // namespace

ScoreMatrix::ScoreMatrix(const Device& device,
                         const CoreSize& size,
                         const ScoreSteps& steps,
                         const CacheStrides& cache,
                         Keeping keeping)
    : m_device(&device)
    , m_size(size)
    , m_scores(device.memory(), elementsOf(size))
    , m_rounded(device, isHalf(device) ? elementsOf(size) : 0)
    , m_cachedKeys(device, cachedElements(size, cache.keys))
    , m_cachedValues(device, cachedElements(size, cache.values))
{
    if (keeping == Keeping::nothing) {
        return;
    }
    const auto rows = static_cast<std::size_t>(size.rows());
    const bool biases = steps.biases != nullptr;
    m_tangents = DeviceBuffer<float>(device.memory(), steps.cap > 0.0F ? elementsOf(size) : 0);
    m_dScores = DeviceBuffer<float>(device.memory(), elementsOf(size));
    m_roundedGradients = OperandBuffer(device, isHalf(device) ? elementsOf(size) : 0);
    m_sinkShares = DeviceBuffer<float>(device.memory(), steps.sinks != nullptr ? rows : 0);
    m_centres = DeviceBuffer<float>(device.memory(), m_sinkShares.size());
    m_partial = DeviceBuffer<float>(
        device.memory(),
        biases ? static_cast<std::size_t>(size.heads * size.batch
                                          * dividedUp(size.queries, kStripQueries) * kOffsets)
               : 0);
}

Destination ScoreMatrix::probabilities() const
{
    return isHalf(*m_device) ? m_rounded.rows(m_size.keys())
                             : destinationAt(m_scores.data(), m_size.keys());
}

Destination ScoreMatrix::gradientsOfScores() const
{
    return isHalf(*m_device) ? m_roundedGradients.rows(m_size.keys())
                             : destinationAt(m_dScores.data(), m_size.keys());
}

// The cache is float32, so that it is rounded where operands are bfloat16.
MatrixRows ScoreMatrix::withCache(const HeadRows& rows, RoundedRows& cached) const
{
    const std::int64_t count = m_size.batch * m_size.cached;
    return {rows.fresh,
            count > 0 ? cached.of(rows.cached, count, rows.cachedStride) : Operand{},
            rows.own,
            rows.shared};
}

void ScoreMatrix::run(const CoreInput& input, const ScoreSteps& steps, const Destination& out)
{
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    const Destination scores = destinationAt(m_scores.data(), m_size.keys());
    const std::vector<Part> parts = partsOf(m_size);
    for (const Part& part : parts) {
        multiplyWithKeys(*m_device, m_size, input.queries, m_size.keyDim, keys, part, scores);
    }
    softmax(steps);
    for (const Part& part : parts) {
        multiplyIntoQueries(*m_device, m_size, probabilities(), values, m_size.valueDim, part, out);
    }
}

void ScoreMatrix::softmax(const ScoreSteps& steps)
{
    const auto start = [&](auto* to) {
        using Value = std::remove_pointer_t<decltype(to)>;
        launch(*m_device,
               static_cast<unsigned>(m_size.rows()),
               threadsForRow(m_size.keys()),
               0,
               &softmaxRows<Value>,
               m_size,
               steps,
               m_scores.data(),
               to,
               m_tangents.data(),
               m_sinkShares.data());
    };
    if (isHalf(*m_device)) {
        start(static_cast<__nv_bfloat16*>(probabilities().first));
    } else {
        start(m_scores.data());
    }
}

void ScoreMatrix::softmaxBackward(const ScoreSteps& steps, const CoreGradients& gradients)
{
    const bool biases = gradients.biases != nullptr;
    const auto blocks = static_cast<unsigned>(m_size.rows());
    const int threads = threadsForRow(m_size.keys());
    const int strips = dividedUp(m_size.queries, kStripQueries);
    const auto start = [&](auto* to, const auto* p) {
        using Value = std::remove_pointer_t<decltype(to)>;
        launch(*m_device,
               blocks,
               threads,
               0,
               &softmaxRowsBackward<Value>,
               m_size,
               steps,
               p,
               m_tangents.data(),
               m_dScores.data(),
               to,
               m_centres.data(),
               biases);
        if (biases) {
            launch(*m_device,
                   static_cast<unsigned>(m_size.heads * m_size.batch * strips),
                   kTileThreads,
                   0,
                   &sumByOffset,
                   m_size,
                   m_dScores.data(),
                   strips,
                   m_partial.data());
            launch(*m_device,
                   blocks,
                   threads,
                   0,
                   &scoreRowsBackward<Value>,
                   m_size,
                   steps,
                   m_tangents.data(),
                   m_dScores.data(),
                   to);
        }
    };
    if (isHalf(*m_device)) {
        start(static_cast<__nv_bfloat16*>(gradientsOfScores().first),
              static_cast<const __nv_bfloat16*>(probabilities().first));
    } else {
        start(m_dScores.data(), m_scores.data());
    }
    if (biases) {
        addOffsetParts(
            *m_device, m_partial.data(), m_size.heads, m_size.batch * strips, gradients.biases);
    }
    if (gradients.sinks != nullptr) {
        launch(*m_device,
               static_cast<unsigned>(m_size.heads),
               kTileThreads,
               0,
               &sumOfSinks,
               m_size,
               m_sinkShares.data(),
               m_centres.data(),
               gradients.sinks);
    }
}

void ScoreMatrix::runBackward(const CoreInput& input,
                              const ScoreSteps& steps,
                              const Operand& dOut,
                              const CoreGradients& gradients)
{
    FLOPSMITH_CHECK(m_size.cached == 0);
    const MatrixRows keys = withCache(input.keys, m_cachedKeys);
    const MatrixRows values = withCache(input.values, m_cachedValues);
    const int keyDim = m_size.keyDim;
    const int valueDim = m_size.valueDim;
    const std::int64_t rows = m_size.batch * m_size.fresh;
    const Destination dScores = destinationAt(m_dScores.data(), m_size.keys());
    const Destination dKeys = destinationAt(gradients.keys, gradients.keyStride);
    const Destination dValues = destinationAt(gradients.values, gradients.valueStride);
    const Destination dQueries = destinationAt(gradients.queries, gradients.queryStride);
    clearColumns(*m_device, gradients.keys, gradients.keyStride, m_size.keyHeads() * keyDim, rows);
    clearColumns(
        *m_device, gradients.values, gradients.valueStride, m_size.keyHeads() * valueDim, rows);
    const std::vector<Part> parts = partsOf(m_size);
    for (const Part& part : parts) {
        multiplyIntoKeys(*m_device, m_size, probabilities(), dOut, valueDim, part, dValues);
        multiplyWithKeys(*m_device, m_size, dOut, valueDim, values, part, dScores);
    }
    softmaxBackward(steps, gradients);
    for (const Part& part : parts) {
        const Operand ds = gradientsOfScores();
        multiplyIntoKeys(*m_device, m_size, ds, input.queries, keyDim, part, dKeys);
        multiplyIntoQueries(*m_device, m_size, ds, keys, keyDim, part, dQueries);
    }
}

} // namespace flopsmith::cuda
