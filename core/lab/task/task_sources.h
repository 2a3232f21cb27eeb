// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/task/task.h"

// One function per task, for numbers that are legal: see makeTask().
namespace flopsmith {

using MadeTask = Result<std::unique_ptr<Task>>;

/// By the engine, which computes the teacher.
MadeTask taskOf(const TeacherTask& spec,
                int dModel,
                std::uint64_t seed,
                const Engine<float>& engine);
MadeTask taskOf(const FactsTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const MemoriseTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const ModularAdditionTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const TextTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const GrammarTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const RecallTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const InductionTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const CopyTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const DyckTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const ParityTask& spec, int dModel, std::uint64_t seed);
MadeTask taskOf(const RegressionTask& spec, int dModel, std::uint64_t seed);

} // namespace flopsmith
