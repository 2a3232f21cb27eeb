// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/store_options.h"

namespace flopsmith::app {

void StoreOptions::addFileTo(CLI::App& command)
{
    command
        .add_option("--store",
                    m_file,
                    "Where results are kept; without it $FLOPSMITH_STORE, or measurements.db in "
                    "the data folder")
        ->type_name("FILE");
}

void StoreOptions::addWindowTo(CLI::App& command)
{
    addFileTo(command);
    command.add_flag("--no-store", m_without, "Neither use nor keep stored results")
        ->excludes("--store");
}

void StoreOptions::addTo(CLI::App& command)
{
    addWindowTo(command);
    command.add_flag("--fresh", m_fresh, "Measure what is stored, too");
}

StoreChoice StoreOptions::choice() const
{
    return {.file = file(), .used = !m_without, .reuse = m_fresh ? Reuse::no : Reuse::yes};
}

std::filesystem::path StoreOptions::file() const
{
    return m_file.empty() ? storeFile() : std::filesystem::path(m_file);
}

} // namespace flopsmith::app
