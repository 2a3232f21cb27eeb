// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/claim_options.h"

#include "app/options/options.h"

namespace flopsmith::app {

void ClaimOptions::addTo(ArgumentParser command)
{
    const auto addSize = [&command](const char* name, int& size, const char* help) {
        command.addOption(name, size, help).check(wholeNumber()).typeName("N").showDefault();
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

} // namespace flopsmith::app
