// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/claims_run.h"

#include "app/options.h"

namespace flopsmith::app {

void ClaimOptions::addTo(CLI::App& command)
{
    const auto addSize = [&command](const char* name, int& size, const char* help) {
        command.add_option(name, size, help)
            ->check(wholeNumber())
            ->type_name("N")
            ->capture_default_str();
    };
    addSize("--d", m_sizes.dModel, "d_model");
    addSize("--d-ff", m_sizes.dFf, "d_ff of the dense FFN that is compared with");
    addSize("--tokens", m_sizes.tokens, "Tokens of the one sequence");
}

Result<ClaimSizes> ClaimOptions::sizes() const
{
    const Status status = validated(m_sizes);
    return status ? Result<ClaimSizes>(m_sizes) : status.error();
}

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
