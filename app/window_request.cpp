// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_request.h"

namespace flopsmith::app {

void addWindowOptions(ArgumentParser program, WindowRequest& request)
{
    const Option file =
        program
            .addOption("FILE",
                       request.file,
                       "A model to open in the window: a preset, a file or a share code; or the "
                       "file of a lesson or a lab")
            .typeName("");
    program.addFlag("--last", request.last, "Open the file opened or saved last in the window")
        .excludes(file);
    program.addOption("--theme", request.theme, "Of the window: light, dark, contrast or system")
        .oneOf({"light", "dark", "contrast", "system"})
        .typeName("NAME");
    program.addOption("--size", request.size, "Of the window").typeName("WxH");
    program.addFlag("--lecture", request.lecture, "Start in lecture mode: one chart, large");
    const Option screenshot =
        program
            .addOption("--screenshot", request.screenshot, "Save a picture of the window and end")
            .typeName("FILE");
    program.addOption("--action", request.actions, "Do this before the picture: window.commands, …")
        .oneValuePerUse()
        .typeName("NAME")
        .needs(screenshot);
    request.store.addWindowTo(program);
    program.addFlag("--measured", request.measured, "Take the picture when all is measured");
}

} // namespace flopsmith::app
