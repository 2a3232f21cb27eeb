// SPDX-License-Identifier: MIT
#include "core/lens/cost_summary.h"

#include "core/lens/lens_total.h"

namespace flopsmith {

std::optional<Count> lensFigure(const Scenario& scenario,
                                LensId id,
                                const CostTree<Count>& tree,
                                const OpCount<Count>& total)
{
    if (pricesCountsAlone(id)) {
        return priced(id, total);
    }
    return lens(id).isFormula() ? formulaFigure(scenario, id) : pricedPart(id, tree, 0);
}

CostSummary summary(const CostTree<Count>& tree, const Scenario& scenario, LensId lens)
{
    const Cost<Count> total = tree.total();
    const Precision& precision = scenario.workload.precision;
    return {.flops = lensFigure(scenario, lens, tree, total.count),
            .macs = total.count.mac,
            .parameters = total.parameters.trainable,
            .activeParameters = activeParameters(tree, scenario.model),
            .fixedParameters = total.parameters.fixed,
            .weightBytes = weightBytes(tree, precision),
            .savedActivationBytes = packedBytes(total.saved, precision.activationBits),
            .kvCacheBytesPerToken = kvCacheBytesPerToken(scenario)};
}

std::vector<std::string> uncounted(const CostTree<Count>& tree, LensId lens)
{
    std::vector<std::string> paths;
    for (int i = 0; i < tree.size(); ++i) {
        if (isBlindTo(lens, tree.node(i))) {
            paths.push_back(tree.path(i));
        }
    }
    return paths;
}

} // namespace flopsmith
