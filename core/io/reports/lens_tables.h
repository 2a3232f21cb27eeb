// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/lens/waterfall.h"
#include "core/study/conformance.h"

#include <vector>

namespace flopsmith {

/// All lenses: name, group, unit, pairs, whether parts have a price, who counts so, rule.
Table lensTable();

/// The lens it starts from, a row per step, the lens it ends at: amount, running total, note. The
/// last running total is the last lens's figure.
Table waterfallTable(const Waterfall& fall, const Scenario& scenario);

/// The waterfall for terminals, Markdown and LaTeX: without the notes, amounts with their sign.
Table waterfallTableForPeople(const Waterfall& fall, const Scenario& scenario);

/// A row per model and lens, for programs: model, source, parameters, workload, lens, unit, figure,
/// training step, remarks, version.
Table conformanceTable(const std::vector<ConformanceEntry>& entries);

/// A row per lens and a column per model, for people.
Table conformanceSheet(const std::vector<ConformanceEntry>& entries);

/// A row per published figure: the printed value, the computed one, and whether they agree.
Table publishedTable(const std::vector<PublishedFigure>& figures);

} // namespace flopsmith
