// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/start_window.h"

int main(int argc, char** argv)
{
    return flopsmith::app::run(argc, argv, flopsmith::app::startWindow);
}
