// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/options/store_options.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// Command-line options of the window.
struct WindowRequest
{
    std::string
        file{}; ///< a preset, a model file or a share code to open; empty: the first example
    bool last = false; ///< open the file opened or saved last
    std::string theme{}; ///< light, dark, contrast or system; empty: the last one used
    std::string size{}; ///< WxH
    std::string screenshot{}; ///< save a picture here and end
    std::vector<std::string> actions{}; ///< to trigger before the picture
    StoreOptions store{};
    bool lecture = false; ///< start in lecture mode
    bool measured = false; ///< take the picture after measuring
};

void addWindowOptions(ArgumentParser program, WindowRequest& request);

} // namespace flopsmith::app
