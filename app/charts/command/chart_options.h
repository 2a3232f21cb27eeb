// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/drawing_options.h"
#include "app/options/claim_options.h"
#include "app/options/curve_options.h"
#include "app/options/device_options.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/base/result.h"
#include "ui/charts/chart_kinds.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// The options of `flopsmith chart`.
struct ChartOptions
{
    ModelOptions model;
    ClaimOptions claims;
    DeviceOptions device;
    HardwareOptions hardware;
    CurveOptions curves;
    std::string kind;
    std::vector<std::string> others; ///< further models
    DrawingOptions drawing;
    std::vector<std::string> axes;
    std::string metric = "flops";
    std::string front = "flops_per_token,+params";
    std::string from = "matmul";

    const ui::ChartKind& chartKind() const { return ui::chartKind(*ui::chartKindNamed(kind)); }
    const ui::ChartNeeds& needs() const { return chartKind().needs; }

    std::vector<std::string> models() const
    {
        std::vector<std::string> all{model.name()};
        all.insert(all.end(), others.begin(), others.end());
        return all;
    }

    bool measures() const { return needs().times || device.isNamed() || curves.isAsked(); }
};

/// An Error that says which options cannot be combined, and what would be right.
Status fits(const ChartOptions& options);

} // namespace flopsmith::app
