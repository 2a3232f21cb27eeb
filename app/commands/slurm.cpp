// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/slurm/slurm_commands.h"

namespace flopsmith::app {

void addSlurm(ArgumentParser program, Command& chosen)
{
    const ArgumentParser command =
        program.addCommand("slurm", "Sweeps and labs as job arrays: script, status, collect");
    command.allowOneCommand();
    addSlurmScript(command, chosen);
    addSlurmStatus(command, chosen);
    addSlurmCollect(command, chosen);
    command.callback([command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [] {
                return Outcome::failure(ExitCode::wrongUsage,
                                        "name what to do: flopsmith slurm script, status or "
                                        "collect");
            };
        }
    });
}

} // namespace flopsmith::app
