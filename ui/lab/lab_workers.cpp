// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_workers.h"

#include "core/measure/environment.h"
#include "core/protocol/device/device.h"

#include <QFile>
#include <QStandardPaths>

#include <algorithm>
#include <thread>

namespace flopsmith::ui {
namespace {

// With a lower priority, where the system has one, so that a slider gets its core at once; a
// program that is not there is left to say so itself.
std::vector<std::string> ownWorker()
{
    const std::string program = (programFolder() / "flopsmith-train").string();
    const QString nice = QStandardPaths::findExecutable(QStringLiteral("nice"));
    if (nice.isEmpty() || !QFile::exists(QFile::decodeName(program.c_str()))) {
        return {program};
    }
    return {QFile::encodeName(nice).toStdString(), "-n", "10", program};
}

} // namespace

std::vector<std::vector<std::string>> ownWorkers()
{
    return {std::max(1U, std::thread::hardware_concurrency()), ownWorker()};
}

std::string machineName(int workers)
{
    const Environment here = currentEnvironment(1);
    const std::string name = here.cpuModel.empty() ? "this machine" : here.cpuModel;
    return name + (workers > 1 ? ", " + std::to_string(workers) + " runs side by side" : "");
}

} // namespace flopsmith::ui
