// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_request.h"

namespace flopsmith::app {

void addWindowOptions(CLI::App& program, WindowRequest& request)
{
    CLI::Option* file =
        program.add_option("FILE", request.file, "A model to open in the window")->type_name("");
    program.add_flag("--last", request.last, "Open the file opened or saved last in the window")
        ->excludes(file);
    program.add_option("--theme", request.theme, "Of the window: light, dark or system")
        ->check(CLI::IsMember({"light", "dark", "system"}))
        ->type_name("NAME");
    program.add_option("--size", request.size, "Of the window")->type_name("WxH");
    program.add_option("--screenshot", request.screenshot, "Save a picture of the window and end")
        ->type_name("FILE");
    request.store.addWindowTo(program);
    program.add_flag("--measured", request.measured, "Take the picture when all is measured");
}

} // namespace flopsmith::app
