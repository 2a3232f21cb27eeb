// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/document.h"

#include <QTemporaryDir>

namespace flopsmith::ui::test {

inline Scenario halfSwapped()
{
    return {.model = *presetNamed("gpt2-half-swapped")};
}

inline Parameter parameter(const Document& document, const char* key)
{
    return matchingParameters(document.scenario(), key).front();
}

inline std::int64_t whole(const Document& document, const char* key)
{
    return std::get<std::int64_t>(parameter(document, key).value(document.scenario()));
}

} // namespace flopsmith::ui::test
