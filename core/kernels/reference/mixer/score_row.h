// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/softmax.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Scores, softmax and weighted sum of one query head of one token, and their backward pass, for
// strided keys and values. Shared by latent and cross-attention.
namespace flopsmith::reference {

/// The tensor at the index, or null if it is absent.
template <class Tensors>
auto* tensorAt(const Tensors& tensors, std::size_t place)
{
    return place == 0 ? nullptr : &tensors[place];
}

/// Layout of one head's keys or values: features from `own` on are elsewhere in the row and shared
/// by all heads.
struct HeadFeatures
{
    std::size_t first = 0; ///< of key 0
    std::size_t stride = 0; ///< from key to key
    std::size_t width = 0;
    std::size_t own = 0; ///< features of the head itself
    std::size_t shared = 0; ///< the first shared feature of key 0

    std::size_t at(std::size_t key, std::size_t feature) const
    {
        const std::size_t start = feature < own ? first + feature : shared + feature - own;
        return start + key * stride;
    }
};

/// A layout without shared features.
inline HeadFeatures ownFeatures(std::size_t first, std::size_t stride, std::size_t width)
{
    return {.first = first, .stride = stride, .width = width, .own = width};
}

template <class S>
struct ScoreRow
{
    std::span<const S> query;
    std::span<const S> keys;
    HeadFeatures keyAt;
    std::span<const S> values;
    HeadFeatures valueAt;
    std::size_t visible = 0; ///< the first so many keys are seen
    std::optional<S> scale{};
};

template <class S>
std::vector<S> scoresOf(const ScoreRow<S>& row)
{
    std::vector<S> all;
    for (std::size_t j = 0; j < row.visible; ++j) {
        S sum = row.query[0] * row.keys[row.keyAt.at(j, 0)];
        for (std::size_t c = 1; c < row.keyAt.width; ++c) {
            sum += row.query[c] * row.keys[row.keyAt.at(j, c)];
        }
        all.push_back(row.scale ? sum * *row.scale : sum);
    }
    return all;
}

/// out = Σ_j p_j·v_j
template <class S>
void weightedSum(const ScoreRow<S>& row, const std::vector<S>& p, std::span<S> out)
{
    for (std::size_t j = 0; j < row.visible; ++j) {
        for (std::size_t c = 0; c < row.valueAt.width; ++c) {
            accumulate(out[c], p[j] * row.values[row.valueAt.at(j, c)], j == 0);
        }
    }
}

template <class S>
void attend(const ScoreRow<S>& row, std::span<S> out)
{
    std::vector<S> p = scoresOf(row);
    softmax<S>(p);
    weightedSum(row, p, out);
}

/// Accumulates one row's gradients. `begins(key)` and `beginsShared(key)` tell whether this row is
/// the first that contributes to the key's own, or shared, features and so overwrites them.
template <class S, class Begins, class BeginsShared>
struct ScoreRowGradient
{
    std::span<S> query;
    std::span<S> keys;
    std::span<S> values;
    Begins begins;
    BeginsShared beginsShared;

    void add(std::span<S> to, const HeadFeatures& at, std::size_t j, std::size_t c, S term) const
    {
        accumulate(to[at.at(j, c)], term, c < at.own ? begins(j) : beginsShared(j));
    }
};

/// Row max and row sum Σ e^(score − row max), which flash attention saves for the backward pass.
template <class S>
struct RowSums
{
    S rowMax{};
    S rowSum{};
};

template <class S>
RowSums<S> sumsOf(const std::vector<S>& scores)
{
    using std::exp;
    RowSums<S> sums{.rowMax = scores[0], .rowSum = S(0)};
    for (const S& score : scores) {
        sums.rowMax = sums.rowMax < score ? score : sums.rowMax;
    }
    for (const S& score : scores) {
        sums.rowSum += exp(score - sums.rowMax);
    }
    return sums;
}

template <class S>
std::vector<S> probabilitiesOf(const ScoreRow<S>& row, const RowSums<S>& sums)
{
    using std::exp;
    std::vector<S> p = scoresOf(row);
    for (S& score : p) {
        score = exp(score - sums.rowMax) / sums.rowSum;
    }
    return p;
}

/// dv_j (+)= p_j·dOut; returns dp_j = dOut·v_j.
template <class S, class Gradient>
std::vector<S> weightedSumBackward(const ScoreRow<S>& row,
                                   const std::vector<S>& p,
                                   std::span<const S> dOut,
                                   const Gradient& gradient)
{
    std::vector<S> dp;
    for (std::size_t j = 0; j < row.visible; ++j) {
        S sum = dOut[0] * row.values[row.valueAt.at(j, 0)];
        for (std::size_t c = 1; c < row.valueAt.width; ++c) {
            sum += dOut[c] * row.values[row.valueAt.at(j, c)];
        }
        dp.push_back(sum);
        for (std::size_t c = 0; c < row.valueAt.width; ++c) {
            gradient.add(gradient.values, row.valueAt, j, c, p[j] * dOut[c]);
        }
    }
    return dp;
}

/// dq = Σ_j ds_j·scale·k_j and dk_j (+)= ds_j·scale·q
template <class S, class Gradient>
void scoresBackward(const ScoreRow<S>& row, const std::vector<S>& ds, const Gradient& gradient)
{
    for (std::size_t j = 0; j < row.visible; ++j) {
        const S scaled = row.scale ? ds[j] * *row.scale : ds[j];
        for (std::size_t c = 0; c < row.keyAt.width; ++c) {
            accumulate(gradient.query[c], scaled * row.keys[row.keyAt.at(j, c)], j == 0);
            gradient.add(gradient.keys, row.keyAt, j, c, scaled * row.query[c]);
        }
    }
}

/// `out` is the result of attend() and `dOut` its gradient. `materialised`: the forward pass saved
/// the probabilities; otherwise only each row's maximum and sum.
template <class S, class Gradient>
void attendBackward(const ScoreRow<S>& row,
                    bool materialised,
                    std::span<const S> out,
                    std::span<const S> dOut,
                    const Gradient& gradient)
{
    RowSums<S> sums;
    std::vector<S> p;
    {
        const Uncounted scope;
        sums = sumsOf(scoresOf(row));
        p = probabilitiesOf(row, sums);
    }
    if (!materialised) {
        p = probabilitiesOf(row, sums);
    }
    std::vector<S> ds = weightedSumBackward(row, p, dOut, gradient);
    const S centre = materialised ? dot<S>(p, ds) : dot<S>(dOut, out);
    for (std::size_t j = 0; j < p.size(); ++j) {
        ds[j] = p[j] * (ds[j] - centre);
    }
    scoresBackward(row, ds, gradient);
}

/// [batch, old + fresh, width] from [batch, old, width] and [batch, fresh, width].
template <class S>
std::vector<S> joinedRows(std::size_t batch,
                          std::size_t width,
                          std::span<const S> old,
                          std::span<const S> fresh)
{
    std::vector<S> all;
    for (std::size_t b = 0; b < batch; ++b) {
        for (const std::span<const S>& part : {old, fresh}) {
            const std::size_t size = part.size() / batch;
            const auto rows = part.subspan(b * size, size);
            all.insert(all.end(), rows.begin(), rows.end());
        }
    }
    FLOPSMITH_CHECK(width > 0 && all.size() % (batch * width) == 0);
    return all;
}

} // namespace flopsmith::reference
