// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"
#include "ui/charts/claims/claims_chart.h"

#include <optional>
#include <span>
#include <string_view>

namespace flopsmith::ui {

std::span<const std::string_view> chartKindNames(); ///< in the order of ChartId
std::optional<ChartId> chartKindNamed(std::string_view name);

/// The figure, with its provenance filled in; exportChart() writes it. An error if the request
/// cannot give one.
FigureResult figureFor(const FigureRequest& request);

/// "prefill, B 1, S 1024, 32-bit weights".
QString workloadText(const Scenario& scenario);

/// The sizes and, if it measured something, the device.
Provenance provenanceOf(const ClaimsChart& chart, const QString& device);

/// Model, workload and lens; the device only if it measured something.
Provenance provenanceOf(const Scenario& scenario, LensId lens, const QString& device = {});

} // namespace flopsmith::ui
