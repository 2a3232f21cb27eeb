// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/base/result.h"
#include "core/parameter/parameter_table.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A lecturer's locks on the students' controls. For locks that a person sets for himself see
// parameter_rules.h.
namespace flopsmith {

inline constexpr std::size_t kMaxClassLocks = 64; ///< of a design
inline constexpr std::size_t kLongestLockKey = 96; ///< in bytes
inline constexpr std::size_t kLongestLockSentence = 400; ///< in bytes
inline constexpr std::size_t kMaxFixedValues = 32; ///< of a lock

/// A control that students do not see, whose value is fixed, or that stays within bounds.
struct ClassLock
{
    enum class Kind { hidden, fixed, bounded };

    /// "lens", "page:memory", "action:file.open", or the key of a parameter in parts, as
    /// matchingParameters() takes it: "ffn.d_ff". It means the parameters of all blocks.
    std::string key;
    Kind kind = Kind::hidden;
    double min = 0; ///< bounded: the smallest value, and the largest
    double max = 0;
    std::vector<FieldValue>
        values{}; ///< a fixed parameter: the values of its blocks; empty: as they are
    std::string sentence{}; ///< for students; may be empty

    bool operator==(const ClassLock&) const = default;
};

std::string_view nameOf(ClassLock::Kind kind); ///< "fixed"

/// The names of all kinds, for readers: "hidden", "fixed", "bounded".
std::vector<std::string_view> classLockKinds();

enum class LockedControl { parameter, lens, page, action };
LockedControl controlOf(const ClassLock& lock);

/// The lock's key for a parameter's row: without the number of its block.
std::string classLockKey(const Parameter& parameter);

/// "page:memory", "action:file.open".
std::string classLockKeyOfPage(std::string_view page);
std::string classLockKeyOfAction(std::string_view action);

/// The Error says in one sentence what is wrong with a lock, that there are too many, or that two
/// have the same key.
Status checked(const ClassLock& lock);
Status checked(std::span<const ClassLock> locks);

/// Adds the lock in place of one with its key.
void setClassLock(std::vector<ClassLock>& locks, ClassLock lock);
void removeClassLock(std::vector<ClassLock>& locks, std::string_view key);

/// Records the values that fixed parameters have in the scenario.
void noteFixedValues(std::vector<ClassLock>& locks, const Scenario& scenario);

/// The lock of that key, or null.
const ClassLock* classLockOfKey(std::span<const ClassLock> locks, std::string_view key);

/// The strictest lock that matches the parameter, or null.
const ClassLock* classLockOf(std::span<const ClassLock> locks, const Parameter& parameter);

/// The value, or for a bounded parameter the nearest within the bounds, of the same kind.
FieldValue withinBounds(const ClassLock& lock, const FieldValue& value);

/// 4096 for a whole number, 0.25 for another.
std::string boundText(double bound);

/// Shown to students: "d_ff is fixed at 3072 for this class: compare widths at equal cost."
std::string classLockText(const ClassLock& lock);

/// Whether students may set the parameter by hand; the Error is classLockText().
Status allowsSetting(std::span<const ClassLock> locks, const Parameter& parameter);

/// Whether an edit leaves fixed parameters at their values and bounded ones in their ranges. Values
/// that were outside before may stay. Parameters of added blocks count too.
Status allowsEdit(std::span<const ClassLock> locks, const Scenario& before, const Scenario& after);

} // namespace flopsmith
