// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/program_build.h"

#include "core/protocol/process/being_built.h"

#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kLookMilliseconds = 1000;

} // namespace

ProgramBuild::ProgramBuild(std::filesystem::path program, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
{
    m_timer.setInterval(kLookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &ProgramBuild::poll);
}

void ProgramBuild::watch()
{
    if (secondsUntilBuilt(m_program)) {
        m_timer.start();
    }
}

void ProgramBuild::poll()
{
    if (!secondsUntilBuilt(m_program)) {
        m_timer.stop();
        Q_EMIT ended();
    }
}

} // namespace flopsmith::ui

#include "moc_program_build.cpp"
