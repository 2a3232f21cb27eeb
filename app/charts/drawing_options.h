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
    std::string width; ///< in place of the size: "85mm"
    std::string typeSize;
    bool noTitle = false;
    bool noFooter = false;
    bool outlines = false;

    void addTo(const ArgumentParser& command);

    /// Errors: an impossible size, width or type size, both size and width, an unknown suffix,
    /// outlines for a format other than SVG.
    Result<ui::ExportOptions> exportOptions() const;

    /// Draws it.
    Status write(const ui::Figure& figure) const;

private:
    Result<QSize> pixels() const;
};

} // namespace flopsmith::app
