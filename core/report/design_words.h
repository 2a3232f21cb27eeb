// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/memory.h"
#include "core/io/reports/cost_report.h"
#include "core/present/stack/stack.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The model, its blocks and the cost of a pass: a paragraph for somebody who reads nothing else.
std::string designParagraph(const CostReport& report,
                            const StackPicture& picture,
                            const Memory& memory);

/// "One forward pass over one sequence of 1024 tokens".
std::string passWords(const Scenario& scenario);

/// What the lens counts, whose convention it is, and which query-key pairs it charges.
std::string lensWords(LensId lens, PairsRule pairs);

/// The figures of a device that a report uses, each with its source.
std::string hardwareWords(const Hardware& hardware, const Precision& precision);

} // namespace flopsmith
