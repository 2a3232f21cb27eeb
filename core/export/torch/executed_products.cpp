// SPDX-License-Identifier: MIT
#include "core/export/torch/executed_products.h"

#include "core/base/text.h"
#include "core/ffn/ffn_variants.h"
#include "core/lens/lens_total.h"

#include <algorithm>

namespace flopsmith::torch {
namespace {

// The program's multiply-adds per token beyond the counted ones of an FFN.
class Detours
{
public:
    Detours(int dModel, std::vector<std::string>& reasons)
        : m_width(dModel)
        , m_reasons(reasons)
    {}

    template <class Spec>
    Count operator()(const Spec& /*ffn*/)
    {
        return 0;
    }

    Count operator()(const RandomProjectionFfn& ffn)
    {
        say("a random projection of few entries is multiplied as a dense matrix");
        return Count(2) * m_width * ffn.features;
    }

    Count operator()(const KroneckerFfn& ffn)
    {
        return ofMatrix(ffn.up(m_width)) + ofMatrix(ffn.down(m_width));
    }

    Count operator()(const SpectralFfn& ffn)
    {
        if (ffn.algorithmFor(m_width) != SpectralAlgorithm::direct) {
            return 0;
        }
        say("a spectral FFN that is counted as two products is transformed by FFT, which has none");
        return Count(-4) * m_width * ffn.kFreq;
    }

    Count operator()(const ComposedFfn& ffn)
    {
        Count sum = 0;
        for (const FfnStage& stage : ffn.stages) {
            sum += visit(*this, stage.spec);
        }
        return sum;
    }

private:
    void say(const char* reason)
    {
        if (std::ranges::find(m_reasons, reason) == m_reasons.end()) {
            m_reasons.emplace_back(reason);
        }
    }

    // Both products with all columns of the factors instead of only those with an entry.
    Count ofMatrix(const KroneckerMatrix& matrix)
    {
        if (!matrix.a.sparse() && !matrix.b.sparse()) {
            return 0;
        }
        say("a sparse Kronecker factor is filled with zeros and multiplied as a dense one");
        const bool rightFirst = matrix.order() == KroneckerOrder::rightFirst;
        const KroneckerFactor& first = rightFirst ? matrix.b : matrix.a;
        const KroneckerFactor& second = rightFirst ? matrix.a : matrix.b;
        const Count rows = Count(first.rank) * first.in * second.in; // of the first product
        const Count between = Count(first.rank) * first.out * second.in;
        return rows * (first.out - first.kept) + between * (second.out - second.kept);
    }

    int m_width;
    std::vector<std::string>& m_reasons;
};

Scenario forwardOf(Scenario scenario)
{
    scenario.workload.phase = Phase::prefill;
    return scenario;
}

} // namespace

ExecutedProducts executedProducts(const Scenario& scenario)
{
    const Scenario forward = forwardOf(scenario);
    ExecutedProducts products;
    products.counted = lensTotal(forward, LensId::matmul).figure.value_or(Count(0));
    products.executed = products.counted;
    for (const BlockRun& run : forward.model.runs) {
        const bool readsSource = forward.model.hasEncoder() && run.block.isEncoder();
        const Count tokens = Count(forward.workload.batch)
            * (readsSource ? forward.sourceTokens() : forward.queryTokens());
        if (run.block.hasFfn()) {
            const Count more =
                visit(Detours(forward.model.dModel, products.reasons), run.block.ffn);
            products.executed += Count(2) * tokens * run.repeat * more;
        }
    }
    return products;
}

std::string productsText(const Scenario& scenario)
{
    const ExecutedProducts products = executedProducts(scenario);
    if (!products.differs()) {
        return {};
    }
    const Scenario forward = forwardOf(scenario);
    std::string text = "\nThe program does not take each way that Flopsmith counts: ";
    for (std::size_t i = 0; i < products.reasons.size(); ++i) {
        text += (i == 0 ? "" : "; ") + products.reasons[i];
    }
    return text + ". Of one forward pass of " + std::to_string(forward.workload.batch) + " x "
        + std::to_string(forward.queryTokens()) + " tokens a profiler finds "
        + groupedDigits(products.executed) + " FLOPs of matrix products; the design has "
        + groupedDigits(products.counted) + ".\n";
}

} // namespace flopsmith::torch
