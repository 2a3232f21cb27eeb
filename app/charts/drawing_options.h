// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "ui/charts/base/export.h"

#include <string>

namespace flopsmith::app {

/// Into which file a figure is drawn, and how.
struct DrawingOptions
{
    std::string target;
    std::string size = "720x440";
    std::string theme = "light";
    bool outlines = false;

    void addTo(const ArgumentParser& command);

    /// Errors: an impossible size, an unknown suffix, outlines for a format other than SVG.
    Result<ui::ExportOptions> exportOptions() const;

    /// Draws it.
    Status write(const ui::Figure& figure) const;
};

} // namespace flopsmith::app
