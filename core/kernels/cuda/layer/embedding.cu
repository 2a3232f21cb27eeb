// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer/operations.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"

#include <algorithm>
#include <numeric>

namespace flopsmith::cuda {
namespace {

// Tokens grouped by their number, so that the gradient of each row of the table is one sum.
struct Occurrences
{
    std::vector<int> numbers;
    std::vector<int> firsts; ///< of each number in `tokens`, then the end
    std::vector<int> tokens;

    explicit Occurrences(std::span<const int> ids)
        : tokens(ids.size())
    {
        const auto idOf = [&](int token) { return ids[static_cast<std::size_t>(token)]; };
        std::iota(tokens.begin(), tokens.end(), 0);
        std::stable_sort(
            tokens.begin(), tokens.end(), [&](int a, int b) { return idOf(a) < idOf(b); });
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (numbers.empty() || numbers.back() != idOf(tokens[i])) {
                numbers.push_back(idOf(tokens[i]));
                firsts.push_back(static_cast<int>(i));
            }
        }
        firsts.push_back(static_cast<int>(tokens.size()));
    }
};

// scale·(row of the table) of every token.
Tensor* lookedUp(Plan& plan, Tensor* table, Index width, std::span<const int> ids, float scale)
{
    Tensor* const y = plan.tensor(static_cast<Index>(ids.size()), width);
    const int* const id = plan.copied(std::vector<int>(ids.begin(), ids.end()));
    const Matrix from{table->values, width};
    fill(plan, y, [=] __device__(Index token, Index column) {
        return scale * from(id[token], column);
    });
    if (!plan.learns()) {
        return y;
    }
    const Occurrences occurrences(ids);
    const int* const numbers = plan.copied(occurrences.numbers);
    const int* const firsts = plan.copied(occurrences.firsts);
    const int* const tokens = plan.copied(occurrences.tokens);
    const Matrix dy = gradientOf(y);
    const Matrix to{table->gradient, width};
    const auto count = static_cast<Index>(occurrences.numbers.size());
    plan.clearFirst(table);
    eachBack(plan, count, width, [=] __device__(Index which, Index column) {
        float sum = 0.0F;
        for (int i = firsts[which]; i < firsts[which + 1]; ++i) {
            sum += scale * dy(tokens[i], column);
        }
        to(numbers[which], column) = sum;
    });
    return y;
}

} // namespace

void addPositions(Plan& plan,
                  const Embedding& embedding,
                  const Shape& shape,
                  Tensor* x,
                  Tensors weights)
{
    if (embedding.positions == Positions::none) {
        return;
    }
    const Index width = x->columns;
    const Index sequence = shape.sequence;
    const bool learned = embedding.positions == Positions::learned;
    const Index begin = embedding.readsPatches() ? 0 : shape.context - shape.sequence;
    Tensor* table = nullptr;
    if (learned) {
        table = weights[embedding.readsPatches() ? weights.size() - 1 : 1];
    } else {
        std::vector<float> rows;
        for (Index i = 0; i < sequence * width; ++i) {
            rows.push_back(
                static_cast<float>(sinusoidalPosition(static_cast<int>(begin + i / width),
                                                      static_cast<int>(i % width),
                                                      static_cast<int>(width))));
        }
        table = plan.constant(rows, width);
    }
    // The table repeats behind its last row.
    const Index rows = learned ? embedding.positionTableRows() : sequence;
    const Index first = learned ? begin : 0;
    const Index batch = shape.batch;
    const Matrix values = valuesOf(x);
    const Matrix added{table->values, width};
    const Matrix dx = gradientOf(x);
    fill(plan, x, [=] __device__(Index token, Index column) {
        const Index row = (first + token % sequence) % rows;
        return values(token, column) + added(row, column);
    });
    addGradient(plan, table, [=] __device__(Index, Index i) {
        const Index row = i / width;
        float sum = 0.0F;
        for (Index b = 0; b < batch; ++b) {
            for (Index at = (row + rows - first % rows) % rows; at < sequence; at += rows) {
                sum += dx(b * sequence + at, i % width);
            }
        }
        return sum;
    });
}

Tensor* planTokens(Plan& plan,
                   const Embedding& embedding,
                   const Shape& shape,
                   std::span<const int> tokenIds,
                   Tensors weights)
{
    const int d = shape.dModel;
    const auto tables = static_cast<std::size_t>(embedding.tables());
    const std::size_t projection = tables + flopsmith::weights(embedding.norm, 1).size();
    const auto projected = [&](Tensor* x) {
        const bool biased = embedding.projection == Projection::biased;
        return linear(plan, x, d, weights[projection], biased ? weights[projection + 1] : nullptr);
    };
    const float scale = embedding.scale ? static_cast<float>(embeddingScale(embedding, d)) : 1.0F;
    Tensor* x = lookedUp(plan, weights[0], embedding.tableWidth(d), tokenIds, scale);
    const bool sumsFirst = embedding.sumsBeforeProjection();
    if (embedding.projects() && !sumsFirst) {
        x = projected(x);
    }
    addPositions(plan, embedding, shape, x, weights.subspan(0, tables));
    if (embedding.tokenTypes > 0) { // all tokens are of type 0
        Tensor* const types = weights[tables - 1];
        plan.clearFirst(types);
        addBias(plan, x, plan.columns(types, 0, x->columns));
    }
    x = normed(plan, embedding.norm, x, weights.subspan(tables));
    return sumsFirst ? projected(x) : x;
}

} // namespace flopsmith::cuda
