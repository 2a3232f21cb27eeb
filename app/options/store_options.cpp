// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/store_options.h"

namespace flopsmith::app {

void StoreOptions::addFileTo(ArgumentParser command)
{
    command
        .addOption("--store",
                   m_file,
                   "Where results are kept; without it $FLOPSMITH_STORE, or measurements.db in "
                   "the data folder")
        .typeName("FILE");
}

void StoreOptions::addWindowTo(ArgumentParser command)
{
    addFileTo(command);
    command.addFlag("--no-store", m_without, "Neither use nor keep stored results")
        .excludes("--store");
}

void StoreOptions::addTo(ArgumentParser command)
{
    addWindowTo(command);
    command.addFlag("--fresh", m_fresh, "Measure what is stored, too");
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
