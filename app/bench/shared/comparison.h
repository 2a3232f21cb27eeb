// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/backend.h"
#include "app/bench/shared/verify_plan.h"
#include "app/bench/shared/verify_rows.h"
#include "app/bench/shared/weights_as.h"
#include "core/base/result.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/mixer.h"
#include "core/protocol/wire/message.h"

#include <memory>
#include <type_traits>

// How verify() compares each kind of operation with the reference on the scalar S.
namespace flopsmith::bench {

// Gathers the given rows.
template <class T>
std::vector<T> gathered(std::span<const T> from,
                        std::size_t width,
                        std::span<const std::size_t> rows)
{
    std::vector<T> values;
    values.reserve(rows.size() * width);
    for (const std::size_t row : rows) {
        const auto piece = from.subspan(row * width, width);
        values.insert(values.end(), piece.begin(), piece.end());
    }
    return values;
}

// One operation's comparison, with the reference on S.
template <class S>
class Comparison
{
public:
    Comparison(const Operation& operation,
               const Operands& operands,
               const Kernel& kernel,
               const Backend& backend,
               const Count& operations)
        : m_operation(operation)
        , m_weights(operands.weights)
        , m_in(operands.inputs)
        , m_kernel(kernel)
        , m_backend(backend)
        , m_operations(operations)
        , m_shape(shapeOf(operation))
        , m_width(static_cast<std::size_t>(operation.dModel))
    {}

    Result<CheckRecord> operator()(const FfnSpec& ffn) const
    {
        const auto forward = [&](const Shape& shape, WeightView<S> weights, auto x, auto y) {
            reference::forward<S>(ffn, shape, weights, x, y);
        };
        const int before = tokensSeenBefore(ffn);
        return before == 0 ? tokenWise(forward) : neighbourWise(before, forward);
    }

    Result<CheckRecord> operator()(const NormOperation& n) const
    {
        return tokenWise([&](const Shape& shape, WeightView<S> weights, auto x, auto y) {
            reference::forward<S>(n.norm, shape, weights, x, y);
        });
    }

    Result<CheckRecord> operator()(const ResidualOperation& r) const
    {
        const auto rows = rowsOf(m_shape.tokens(), m_width);
        const auto x = convertedTo<S>(gathered<float>(m_in.x, m_width, rows));
        const auto f = convertedTo<S>(gathered<float>(m_in.addend, m_width, rows));
        const auto g = r.residual.branches > 1
            ? convertedTo<S>(gathered<float>(m_in.secondAddend, m_width, rows))
            : std::vector<S>();
        std::vector<S> y(x.size());
        reference::addResidual<S>(r.residual, x, f, g, y);
        return judged(rows.size(), gathered<float>(m_kernel.output(), m_width, rows), y, {}, "");
    }

    // Compares tokens one by one, with tables cut to the token's rows; the context determines its
    // position.
    Result<CheckRecord> operator()(const EmbeddingOperation& e) const
    {
        if (e.embedding.readsPatches()) {
            return oneImage(e.embedding);
        }
        const auto rows = rowsOf(m_shape.tokens(), m_width);
        std::vector<S> expected;
        for (const std::size_t row : rows) {
            const auto inSequence =
                static_cast<int>(row % static_cast<std::size_t>(m_shape.sequence));
            const int position = m_shape.context - m_shape.sequence + inSequence;
            Embedding small = e.embedding;
            const Weights<S> weights = ownRows(small, m_in.tokenIds[row], position);
            const std::vector<int> token{0};
            std::vector<S> y(m_width);
            reference::forward<S>(small, oneToken(position + 1), weights, token, y);
            expected.insert(expected.end(), y.begin(), y.end());
        }
        return judged(
            rows.size(), gathered<float>(m_kernel.output(), m_width, rows), expected, {}, "");
    }

    Result<CheckRecord> operator()(const ModelOperation&) const
    {
        return Error{"a whole model is compared by verifyModel()"};
    }

    Result<CheckRecord> operator()(const HeadOperation& h) const
    {
        return h.head.isLm() ? logits(h) : firstTokens(h);
    }

    Result<CheckRecord> operator()(const MixerSpec& mixer) const
    {
        const Shape shape = shapeToCheck(m_operation, m_operations);
        if (shape == m_shape) {
            return mixed(mixer, shape, m_in, m_kernel, "");
        }
        const Inputs cut = cutTo(mixer, shape);
        const Result<std::unique_ptr<Kernel>> own =
            m_backend.prepared(withShape(m_operation, shape), m_weights, cut);
        if (!own) {
            return own.error();
        }
        (*own)->run();
        return mixed(mixer, shape, cut, **own, " of one sequence, run by themselves,");
    }

private:
    std::vector<std::size_t> rowsOf(std::size_t count, std::size_t width) const
    {
        return chosenRows(count, width, flopsOf(m_operation), m_operations);
    }

    Shape tokens(std::size_t count) const
    {
        const auto n = static_cast<int>(count);
        return {.batch = 1, .sequence = n, .context = n, .dModel = m_operation.dModel};
    }

    Shape oneToken(int context) const
    {
        return {.batch = 1, .sequence = 1, .context = context, .dModel = m_operation.dModel};
    }

    // Compares an operation on independent tokens; forward(shape, weights, x, y) is the reference.
    template <class Forward>
    Result<CheckRecord> tokenWise(const Forward& forward) const
    {
        const auto rows = rowsOf(m_shape.tokens(), m_width);
        const WeightsAs<S> weights(m_weights);
        const auto outputOf = [&](const std::vector<S>& x) {
            std::vector<S> y(x.size());
            forward(
                tokens(x.size() / m_width), weights.view(), std::span<const S>(x), std::span<S>(y));
            return y;
        };
        const auto x = convertedTo<S>(gathered<float>(m_in.x, m_width, rows));
        const auto moved = [&](std::size_t row, double relative, std::uint64_t seed) {
            const auto from = x.begin() + static_cast<std::ptrdiff_t>(row * m_width);
            const auto y = outputOf(
                movedBy<S>({from, from + static_cast<std::ptrdiff_t>(m_width)}, relative, seed));
            return std::vector<double>(y.begin(), y.end());
        };
        return judged(
            rows.size(), gathered<float>(m_kernel.output(), m_width, rows), outputOf(x), moved, "");
    }

    // The same for tokens that depend on up to `before` previous tokens: each is computed with
    // these alone.
    template <class Forward>
    Result<CheckRecord> neighbourWise(int before, const Forward& forward) const
    {
        const auto rows = chosenRows(
            m_shape.tokens(), m_width, (before + 1) * flopsOf(m_operation), m_operations);
        const WeightsAs<S> weights(m_weights);
        const auto inputOf = [&](std::size_t row) {
            const std::size_t place = row % static_cast<std::size_t>(m_shape.sequence);
            const std::size_t first = row - std::min(place, static_cast<std::size_t>(before));
            const auto from = m_in.x.begin() + static_cast<std::ptrdiff_t>(first * m_width);
            const auto to = m_in.x.begin() + static_cast<std::ptrdiff_t>((row + 1) * m_width);
            return std::vector<S>(from, to);
        };
        const auto lastOutput = [&](const std::vector<S>& x) {
            std::vector<S> y(x.size());
            forward(
                tokens(x.size() / m_width), weights.view(), std::span<const S>(x), std::span<S>(y));
            return std::vector<S>(y.end() - static_cast<std::ptrdiff_t>(m_width), y.end());
        };
        std::vector<S> expected;
        for (const std::size_t row : rows) {
            const std::vector<S> y = lastOutput(inputOf(row));
            expected.insert(expected.end(), y.begin(), y.end());
        }
        const auto moved = [&](std::size_t row, double relative, std::uint64_t seed) {
            const auto y = lastOutput(movedBy<S>(inputOf(rows[row]), relative, seed));
            return std::vector<double>(y.begin(), y.end());
        };
        return judged(
            rows.size(), gathered<float>(m_kernel.output(), m_width, rows), expected, moved, "");
    }

    // Compares the first image, with all of its tokens.
    Result<CheckRecord> oneImage(const Embedding& embedding) const
    {
        Shape shape = m_shape;
        shape.batch = 1;
        const auto pixels = static_cast<std::ptrdiff_t>(imageElements(embedding, 1));
        const std::vector<float> image(m_in.images.begin(), m_in.images.begin() + pixels);
        const WeightsAs<S> weights(m_weights);
        std::vector<S> y(shape.activations());
        reference::forward<S>(embedding, shape, weights.view(), convertedTo<S>(image), y);
        return judged(shape.tokens(), m_kernel.output().first(y.size()), y, {}, "");
    }

    // The tables cut to the rows of one token; adapts the embedding.
    Weights<S> ownRows(Embedding& embedding, int tokenId, int position) const
    {
        Weights<S> weights;
        std::size_t table = 0;
        const auto addRow = [&](int row, int width) {
            const std::size_t rows[]{static_cast<std::size_t>(row)};
            weights.push_back(convertedTo<S>(
                gathered<float>(m_weights[table++], static_cast<std::size_t>(width), rows)));
        };
        const int sumWidth = embedding.sumWidth(m_operation.dModel);
        addRow(tokenId, embedding.tableWidth(m_operation.dModel));
        embedding.vocab = 1;
        if (embedding.positions == Positions::learned) {
            addRow(position % embedding.positionRows, sumWidth);
            embedding.positionRows = 1;
        }
        if (embedding.tokenTypes > 0) {
            addRow(0, sumWidth);
            embedding.tokenTypes = 1;
        }
        for (; table < m_weights.size(); ++table) {
            weights.push_back(convertedTo<S>(m_weights[table]));
        }
        return weights;
    }

    Result<CheckRecord> logits(const HeadOperation& h) const
    {
        const auto vocab = static_cast<std::size_t>(h.vocab);
        const auto entries = rowsToCheck(vocab, 1, kMaxLogits);
        const Count flops = flopsOf(m_operation) / h.vocab * static_cast<Count>(entries.size());
        const auto rows =
            chosenRows(m_shape.tokens(), entries.size() + m_width, flops, m_operations);
        const std::size_t matrix = tensorsBeforeLogits(h.head);
        Weights<S> weights;
        for (std::size_t i = 0; i < matrix; ++i) {
            weights.push_back(convertedTo<S>(m_weights[i]));
        }
        const std::size_t width = m_weights[matrix].size() / vocab;
        weights.push_back(convertedTo<S>(gathered<float>(m_weights[matrix], width, entries)));
        if (h.head.bias) {
            weights.push_back(convertedTo<S>(gathered<float>(m_weights[matrix + 1], 1, entries)));
        }
        const auto x = convertedTo<S>(gathered<float>(m_in.x, m_width, rows));
        std::vector<S> y(rows.size() * entries.size());
        reference::forward<S>(
            h.head, static_cast<int>(entries.size()), tokens(rows.size()), weights, x, y);
        std::vector<float> found;
        for (const std::size_t row : rows) {
            const auto all = m_kernel.output().subspan(row * vocab, vocab);
            for (const std::size_t entry : entries) {
                found.push_back(all[entry]);
            }
        }
        const std::string what = entries.size() == vocab
            ? ""
            : " at " + std::to_string(entries.size()) + " of " + std::to_string(vocab) + " logits";
        return judged(rows.size(), found, y, {}, what);
    }

    // Pooler and classifier.
    Result<CheckRecord> firstTokens(const HeadOperation& h) const
    {
        const auto sequences = rowsOf(static_cast<std::size_t>(m_shape.batch), m_width);
        std::vector<std::size_t> first = sequences;
        for (std::size_t& row : first) {
            row *= static_cast<std::size_t>(m_shape.sequence);
        }
        Shape shape = oneToken(1);
        shape.batch = static_cast<int>(first.size());
        const std::size_t width = h.head.kind == HeadKind::classifier
            ? static_cast<std::size_t>(h.head.classes)
            : m_width;
        std::vector<S> y(first.size() * width);
        reference::forward<S>(h.head,
                              h.vocab,
                              shape,
                              WeightsAs<S>(m_weights).view(),
                              convertedTo<S>(gathered<float>(m_in.x, m_width, first)),
                              y);
        return judged(
            first.size(), gathered<float>(m_kernel.output(), width, sequences), y, {}, "");
    }

    Result<CheckRecord> mixed(const MixerSpec& mixer,
                              const Shape& shape,
                              const Inputs& inputs,
                              const Kernel& kernel,
                              const std::string& what) const
    {
        const WeightsAs<S> weights(m_weights);
        std::vector<S> y(shape.activations());
        reference::forward<S>(mixer,
                              shape,
                              weights.view(),
                              convertedTo<S>(inputs.x),
                              convertedTo<S>(inputs.cachedKeys),
                              convertedTo<S>(inputs.cachedValues),
                              y);
        return judged(shape.tokens(), kernel.output(), y, {}, what);
    }

    // The first tokens of the first sequence, and as many of its cache and source.
    Inputs cutTo(const MixerSpec& mixer, const Shape& shape) const
    {
        const auto front = [](const std::vector<float>& values, std::size_t count) {
            return std::vector<float>(values.begin(),
                                      values.begin() + static_cast<std::ptrdiff_t>(count));
        };
        const MixerOperands sizes = operandsOf(mixer, shape);
        Inputs cut;
        cut.x = mixerInput(mixer, m_in.x, m_shape, shape);
        cut.cachedKeys = front(m_in.cachedKeys, sizes.cachedKeys);
        cut.cachedValues = front(m_in.cachedValues, sizes.cachedValues);
        return cut;
    }

    Result<CheckRecord> judged(std::size_t rows,
                               std::span<const float> found,
                               std::span<const S> y,
                               const MovedRow& moved,
                               const std::string& what) const
    {
        const std::vector<double> expected(y.begin(), y.end());
        const RowsAgreement compared = compareRows(
            rows, longestSum(m_operation), found, expected, moved, m_backend.operandRounding());
        const char* precision = std::is_same_v<S, float> ? "single" : "double";
        return recordOf(compared, rows, outputRows(m_operation), what, precision);
    }

    const Operation& m_operation;
    WeightView<float> m_weights;
    const Inputs& m_in;
    const Kernel& m_kernel;
    const Backend& m_backend;
    const Count& m_operations;
    Shape m_shape;
    std::size_t m_width;
};

} // namespace flopsmith::bench
