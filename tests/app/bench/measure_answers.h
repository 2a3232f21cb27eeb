// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/jobs/measure.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <variant>

namespace flopsmith::bench::measuring {

inline constexpr double kBudgetSeconds = 0.02;

inline std::optional<std::int64_t> plenty()
{
    return std::int64_t{1} << 40;
}

inline Answer answerTo(const Operation& operation,
                       const AvailableBytes& available = plenty,
                       ComputePrecision precision = ComputePrecision::float32)
{
    // Two threads: what each takes for itself would differ from machine to machine.
    return measured({.id = 5,
                     .operation = operation,
                     .precision = precision,
                     .threads = 2,
                     .budgetSeconds = kBudgetSeconds},
                    {},
                    {},
                    available);
}

inline Failure failureOf(const Answer& answer)
{
    const auto* failure = std::get_if<Failure>(&answer);
    EXPECT_NE(failure, nullptr);
    return failure != nullptr ? *failure : Failure{};
}

} // namespace flopsmith::bench::measuring
