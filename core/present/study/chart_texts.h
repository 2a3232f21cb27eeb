// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/present/base/ticks.h"
#include "core/study/variation/axis.h"
#include "core/study/variation/metric.h"

#include <optional>
#include <span>
#include <string>

// How charts of swept parameters name their axes and write the values on them.
namespace flopsmith {

/// "sequence length S (tokens)"
std::string parameterTitle(const Scenario& scenario, const Axis& axis);

/// "S", or the label of a parameter without a symbol.
std::string parameterSymbol(const Scenario& scenario, const Axis& axis);

/// What the parameter is, in a sentence; empty if the model does not have it.
std::string parameterHelp(const Scenario& scenario, const Axis& axis);

/// "FLOPs, exact"; for a metric of a device with its name. Bytes, and metrics derived from them,
/// include the precision if it is known: "memory, in 16 bit".
std::string metricTitle(MetricId id,
                        const MetricBasis& basis,
                        const std::optional<Precision>& precision = std::nullopt);

/// "218.7 GFLOPs", "497.8 MB"
std::string metricText(MetricId id, LensId lens, double value);

/// The same without the unit, which the title contains: "218.7 G", "497.8 MB".
std::string shortMetricText(MetricId id, double value);

/// All digits: "291 648 307 200 FLOPs".
std::string exactMetricText(MetricId id, LensId lens, const MetricValue& value);

/// All digits for a file, in the C locale.
std::string plainMetricText(const MetricValue& value);

/// The part of a reason that fits below a chart: "k_freq: 64 is not legal" from
/// "blocks[0].ffn.k_freq: 64 is not legal; legal is 1 … 49".
std::string shortReason(const std::string& problem);

/// How the metric's values are written on an axis.
TickUnit tickUnit(MetricId id);

} // namespace flopsmith
