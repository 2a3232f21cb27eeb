// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/io/table/table.h"
#include "core/json/json.h"
#include "core/lens/lens_total.h"
#include "core/model/model_cost.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// The cost of a scenario, ready to be written in any form.
struct CostReport
{
    Scenario scenario{};
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    CostTree<Count> tree{};
    LensTotal total{};
};

/// Computes the tree. The lens's own rule decides about pairs unless the caller has one.
CostReport costReport(const Scenario& scenario, LensId id);
CostReport costReport(const Scenario& scenario, LensId id, PairsRule pairs);

/// The contract that scripts rely on:
///   {"version", "model", "workload": {…}, "lens", "pairs", "total": {"flops", "macs", "params",
///    "active_params", "weight_bytes", "kv_cache_bytes_per_token"}, "training_step",
///    "formula": [{"term", "flops"}], "remarks": [sentence …], "uncounted": [path …],
///    "tree": [{"path", "kind", "component", "count": {"mac", …}, "flops", "params",
///              "bytes": {"weights", "read", "written", "kv_read", "kv_written"}, "repeat",
///              "times_used"}]}
/// A training step's bytes also have "gradients" and "optimizer_state", and its paths begin with
/// "forward", "recomputed", "backward" or "optimizer".
/// The tree is in pre-order. Numbers of a node are for one use: `repeat` is the number of equal
/// nodes that it represents, `times_used` the number of its executions in the whole model. So the
/// operations' flops times their times_used add up to the total. Counts from 2^53 on are strings.
/// A lens that is a formula has "formula" and "remarks", and its nodes have no "flops"; only lenses
/// whose authors define the cost of a training step have "training_step".
Json costJson(const CostReport& report);

/// "GPT-2 small, 1 × 1024 tokens, lens matmul, full pairs; Flopsmith 0.1.0": the provenance in one
/// line.
std::string provenance(const CostReport& report);
std::string provenance(const Scenario& scenario, LensId id, PairsRule pairs);

/// The columns of a cost table.
enum class CostColumns {
    usual, ///< part, uses, FLOPs and share, parameters, bytes moved
    all, ///< in addition multiply-adds, and the bytes that training saves for its backward pass
};

/// The tree as a table, over all uses together. Its caption gives the source of the figures.
Table costTable(const CostReport& report, CostColumns columns = CostColumns::usual);

/// The totals in a few aligned lines, for a terminal.
std::string costHeadline(const CostReport& report);

/// exact, half or full.
std::string_view pairsName(PairsRule pairs);

} // namespace flopsmith
