// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/table/table.h"
#include "core/json/json.h"
#include "core/study/compare/comparison.h"

#include <cstddef>

namespace flopsmith {

/// For spreadsheets: every figure, then every parameter that differs, in columns "key", "title",
/// "unit", "a" to "d" for the designs, and "delta_b", "ratio_b" and so on for the further designs.
Table comparisonTable(const Comparison& comparison);

/// The columns of tables for people in addition to the values.
enum class ComparedColumns {
    all, ///< differences and ratios of every design
    fitting, ///< for a terminal: ratios, and differences only if there are two designs
};

/// For people: the figures with components below the operations; the caption says why measured
/// times are missing.
Table comparedFiguresTable(const Comparison& comparison,
                           ComparedColumns columns = ComparedColumns::fitting);

/// For people: the parameters in which designs differ. No rows if there are none.
Table comparedParametersTable(const Comparison& comparison,
                              ComparedColumns columns = ComparedColumns::fitting);

/// For people: the blocks of the first design next to another design's, "+" for added ones, "−" for
/// removed ones and "~" for changed ones, with their differences. Blocks are counted from 1.
Table alignedStackTable(const Comparison& comparison, std::size_t design);

/// The contract that scripts rely on:
///   {"version", "lens", "pairs", "designs": [{"name", "model", "workload": {…}}],
///    "figures": [{"key", "title", "unit", "values", "deltas", "ratios", "note"}],
///    "parameters": [{"key", "label", "unit", "values", "texts", "deltas", "ratios"}],
///    "stacks": [[{"kind", "a": {"first", "count"}, "b": {"first", "count"},
///                 "differences": [{"key", "label", "a", "b"}]}]]}
/// Lists are parallel to the designs, of which the first is compared with itself; null without a
/// value, difference or ratio. A note exists only if measured times are missing or rough. Blocks
/// are counted from 0. Counts from 2^53 on are strings.
Json comparisonJson(const Comparison& comparison);

} // namespace flopsmith
