// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/start_window.h"

#include <langinfo.h>
#include <pwd.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string_view>

namespace {

// Qt needs UTF-8 and prints a warning of four lines if the locale has another encoding, as in a
// shell without a locale. The programs write UTF-8 in any case.
void useUtf8()
{
    std::setlocale(LC_CTYPE, "");
    if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") {
        setenv("LC_ALL", "C.UTF-8", 1); // NOLINT: one thread
    }
    std::setlocale(LC_CTYPE, "C");
}

// Qt takes HOME as it is, so that a relative one would make folders wherever the program runs. The
// programs of this one that need a home do without.
void useAbsoluteHome()
{
    const char* home = std::getenv("HOME"); // NOLINT: one thread
    if (home == nullptr || *home == '/') {
        return;
    }
    const passwd* user = getpwuid(getuid()); // NOLINT: one thread
    if (user != nullptr && user->pw_dir != nullptr && *user->pw_dir == '/') {
        setenv("HOME", user->pw_dir, 1); // NOLINT: one thread
    } else {
        unsetenv("HOME"); // NOLINT: one thread
    }
}

} // namespace

int main(int argc, char** argv)
{
    useUtf8();
    useAbsoluteHome();
    return flopsmith::app::run(argc, argv, flopsmith::app::startWindow);
}
