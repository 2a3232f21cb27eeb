// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/start_window.h"

#include <langinfo.h>

#include <clocale>
#include <cstdlib>
#include <string_view>

namespace {

// Qt needs UTF-8 and says so in four lines where a system has another encoding, as a shell without a
// locale does. The programs write UTF-8 in any case.
void useUtf8()
{
    std::setlocale(LC_CTYPE, "");
    if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") {
        setenv("LC_ALL", "C.UTF-8", 1); // NOLINT: one thread
    }
    std::setlocale(LC_CTYPE, "C");
}

} // namespace

int main(int argc, char** argv)
{
    useUtf8();
    return flopsmith::app::run(argc, argv, flopsmith::app::startWindow);
}
