// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/claims_run.h"

namespace flopsmith::app {

ClaimsRun countedClaims(const ClaimSizes& sizes)
{
    return {.claims = claims(sizes), .measured = {}, .run = {}};
}

ClaimsRun measuredClaims(const ClaimSizes& sizes,
                         const Device& device,
                         const MeasuringOptions& options,
                         const StoreChoice& store)
{
    ClaimsRun all = countedClaims(sizes);
    all.run = measuringRun({}, device, measuredParts(all.claims), options, store);
    std::vector<double> seconds;
    for (const PartResult& part : all.run.outcome.parts) {
        seconds.push_back(part.measured ? part.measured->medianSeconds : 0.0);
    }
    const auto roofs = all.run.roofs();
    const double peak = roofs ? roofs->peaks(all.run.conditions().format).flopsPerSecond : 0.0;
    for (const Claim& claim : all.claims) {
        all.measured.push_back(measured(claim, all.run.plan, seconds, peak));
    }
    return all;
}

} // namespace flopsmith::app
