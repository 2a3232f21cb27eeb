// SPDX-License-Identifier: MIT
#include "core/parameter/class_lock.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/parameter_place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::array<std::string_view, 3> kKindNames{"hidden", "fixed", "bounded"};
constexpr std::string_view kLensKey = "lens";
constexpr std::string_view kPagePrefix = "page:";
constexpr std::string_view kActionPrefix = "action:";

std::string nameOfControl(const ClassLock& lock)
{
    switch (controlOf(lock)) {
    case LockedControl::lens: return "the lens";
    case LockedControl::page: return "the page " + lock.key.substr(kPagePrefix.size());
    case LockedControl::action: return "the action " + lock.key.substr(kActionPrefix.size());
    case LockedControl::parameter: break;
    }
    return lock.key.substr(lock.key.rfind('.') + 1); // npos + 1 is 0
}

Status checkedKey(const std::string& key)
{
    if (key.empty() || key.size() > kLongestLockKey || !isPrintable(key)
        || key.find('\n') != std::string::npos) {
        return Error{"\"" + excerpt(key)
                     + "\" is no control; expected a parameter like ffn.d_ff, "
                       "lens, page:NAME or action:NAME, of at most "
                     + std::to_string(kLongestLockKey) + " bytes"};
    }
    if (key.starts_with(kBlockKey)) {
        return Error{excerpt(key)
                     + ": a class lock is of all blocks; leave the number of the block out: "
                     + excerpt(std::string_view(key).substr(key.find('.') + 1))};
    }
    return Done{};
}

Status checkedKind(const ClassLock& lock)
{
    const LockedControl control = controlOf(lock);
    const bool isHiddenOnly = control == LockedControl::page || control == LockedControl::action;
    if (isHiddenOnly && lock.kind != ClassLock::Kind::hidden) {
        return Error{lock.key + ": a page or an action can be hidden, not "
                     + std::string(nameOf(lock.kind))};
    }
    if (control == LockedControl::lens && lock.kind == ClassLock::Kind::bounded) {
        return Error{"lens: can be hidden or fixed; bounds are of numbers"};
    }
    return Done{};
}

Status checkedValues(const ClassLock& lock)
{
    const bool isBounded = lock.kind == ClassLock::Kind::bounded;
    if (isBounded
        && !(std::isfinite(lock.min) && std::isfinite(lock.max) && lock.min <= lock.max)) {
        return Error{lock.key + ": the bounds " + numberText(lock.min) + " to "
                     + numberText(lock.max) + " hold no number; min must be at most max"};
    }
    if (!isBounded && (lock.min != 0 || lock.max != 0)) {
        return Error{lock.key + ": only a bounded control has min and max"};
    }
    const bool mayHaveValues =
        lock.kind == ClassLock::Kind::fixed && controlOf(lock) == LockedControl::parameter;
    if (lock.values.size() > (mayHaveValues ? kMaxFixedValues : 0)) {
        return Error{lock.key + ": only a fixed parameter has values, at most "
                     + std::to_string(kMaxFixedValues)};
    }
    return Done{};
}

std::optional<double> numberOf(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real == nullptr ? std::nullopt : std::optional(*real);
}

// A file may have a real number without a decimal point.
bool areSame(const FieldValue& one, const FieldValue& other)
{
    const std::optional<double> number = numberOf(one);
    return number ? number == numberOf(other) : one == other;
}

bool has(const std::vector<FieldValue>& values, const FieldValue& value)
{
    return std::any_of(values.begin(), values.end(), [&value](const FieldValue& each) {
        return areSame(each, value);
    });
}

bool means(const ClassLock& lock, const Parameter& parameter)
{
    return controlOf(lock) == LockedControl::parameter && keyMeans(lock.key, parameter.key);
}

// Of all parameters that the lock means, one for each run of blocks.
std::vector<FieldValue> valuesIn(const Scenario& scenario, const ClassLock& lock)
{
    std::vector<FieldValue> values;
    for (const ParameterList& part : parameterTable(scenario)) {
        for (const Parameter& parameter : *part) {
            if (means(lock, parameter) && parameter.applies(scenario)) {
                values.push_back(parameter.value(scenario));
            }
        }
    }
    return values;
}

bool isWithin(const ClassLock& lock, const FieldValue& value)
{
    const std::optional<double> number = numberOf(value);
    return !number || (lock.min <= *number && *number <= lock.max);
}

bool staysBounded(const ClassLock& lock,
                  const std::vector<FieldValue>& before,
                  const std::vector<FieldValue>& after)
{
    return std::all_of(after.begin(), after.end(), [&](const FieldValue& value) {
        return isWithin(lock, value) || has(before, value);
    });
}

// As many blocks have the same values in some order; if their number changed, none has a new value.
bool staysFixed(const ClassLock& lock,
                const std::vector<FieldValue>& before,
                const std::vector<FieldValue>& after)
{
    if (before.size() == after.size()) {
        return std::is_permutation(before.begin(), before.end(), after.begin(), areSame);
    }
    return std::all_of(after.begin(), after.end(), [&](const FieldValue& value) {
        return has(lock.values, value) || has(before, value);
    });
}

bool isKept(const ClassLock& lock, const Scenario& before, const Scenario& after)
{
    if (lock.kind == ClassLock::Kind::hidden || controlOf(lock) != LockedControl::parameter) {
        return true;
    }
    const std::vector<FieldValue> was = valuesIn(before, lock);
    const std::vector<FieldValue> is = valuesIn(after, lock);
    return lock.kind == ClassLock::Kind::fixed ? staysFixed(lock, was, is)
                                               : staysBounded(lock, was, is);
}

std::string stateText(const ClassLock& lock)
{
    switch (lock.kind) {
    case ClassLock::Kind::hidden: return " is hidden";
    case ClassLock::Kind::fixed:
        return lock.values.size() == 1 ? " is fixed at " + printable(valueText(lock.values.front()))
                                       : " is fixed";
    case ClassLock::Kind::bounded: break;
    }
    return " stays between " + boundText(lock.min) + " and " + boundText(lock.max);
}

} // namespace

std::string_view nameOf(ClassLock::Kind kind)
{
    return kKindNames.at(static_cast<std::size_t>(kind));
}

std::vector<std::string_view> classLockKinds()
{
    return {kKindNames.begin(), kKindNames.end()};
}

LockedControl controlOf(const ClassLock& lock)
{
    if (lock.key == kLensKey) {
        return LockedControl::lens;
    }
    return lock.key.starts_with(kPagePrefix)  ? LockedControl::page
        : lock.key.starts_with(kActionPrefix) ? LockedControl::action
                                              : LockedControl::parameter;
}

std::string classLockKey(const Parameter& parameter)
{
    return std::string(keyInRun(parameter));
}

std::string classLockKeyOfPage(std::string_view page)
{
    return std::string(kPagePrefix) + std::string(page);
}

std::string classLockKeyOfAction(std::string_view action)
{
    return std::string(kActionPrefix) + std::string(action);
}

Status checked(const ClassLock& lock)
{
    Status status = checkedKey(lock.key);
    if (status) {
        status = checkedKind(lock);
    }
    if (status) {
        status = checkedValues(lock);
    }
    if (status && (lock.sentence.size() > kLongestLockSentence || !isPrintable(lock.sentence))) {
        return Error{lock.key + ": the sentence for students must be one line of at most "
                     + std::to_string(kLongestLockSentence) + " bytes"};
    }
    return status;
}

Status checked(std::span<const ClassLock> locks)
{
    if (locks.size() > kMaxClassLocks) {
        return Error{std::to_string(locks.size()) + " controls are locked; a design has at most "
                     + std::to_string(kMaxClassLocks)};
    }
    for (std::size_t i = 0; i < locks.size(); ++i) {
        FLOPSMITH_RETURN_IF_ERROR(checked(locks[i]));
        if (classLockOfKey(locks.first(i), locks[i].key) != nullptr) {
            return Error{locks[i].key + ": is locked twice; leave one of the locks out"};
        }
    }
    return Done{};
}

void setClassLock(std::vector<ClassLock>& locks, ClassLock lock)
{
    const auto same = std::find_if(locks.begin(), locks.end(), [&lock](const ClassLock& each) {
        return each.key == lock.key;
    });
    if (same == locks.end()) {
        locks.push_back(std::move(lock));
    } else {
        *same = std::move(lock);
    }
}

void removeClassLock(std::vector<ClassLock>& locks, std::string_view key)
{
    std::erase_if(locks, [key](const ClassLock& each) { return each.key == key; });
}

void noteFixedValues(std::vector<ClassLock>& locks, const Scenario& scenario)
{
    for (ClassLock& lock : locks) {
        if (lock.kind != ClassLock::Kind::fixed) {
            continue;
        }
        std::vector<FieldValue> different;
        for (const FieldValue& value : valuesIn(scenario, lock)) {
            if (!has(different, value) && different.size() < kMaxFixedValues) {
                different.push_back(value);
            }
        }
        if (!different.empty()) {
            lock.values = std::move(different);
        }
    }
}

const ClassLock* classLockOfKey(std::span<const ClassLock> locks, std::string_view key)
{
    const auto found = std::find_if(
        locks.begin(), locks.end(), [key](const ClassLock& lock) { return lock.key == key; });
    return found == locks.end() ? nullptr : &*found;
}

const ClassLock* classLockOf(std::span<const ClassLock> locks, const Parameter& parameter)
{
    const ClassLock* strictest = nullptr;
    for (const ClassLock& lock : locks) {
        if (means(lock, parameter) && (strictest == nullptr || lock.kind < strictest->kind)) {
            strictest = &lock;
        }
    }
    return strictest;
}

std::string boundText(double bound)
{
    constexpr double kExact = 9007199254740992.0; // 2^53
    const bool isWhole = std::abs(bound) < kExact && std::floor(bound) == bound;
    return isWhole ? std::to_string(static_cast<std::int64_t>(bound)) : numberText(bound);
}

FieldValue withinBounds(const ClassLock& lock, const FieldValue& value)
{
    constexpr double kLargest = 9007199254740992.0; // 2^53: beyond, double has no whole numbers
    if (lock.kind != ClassLock::Kind::bounded || isWithin(lock, value)) {
        return value;
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return std::clamp(*real, lock.min, lock.max);
    }
    const double low = std::clamp(std::ceil(lock.min), -kLargest, kLargest);
    const double high = std::clamp(std::floor(lock.max), -kLargest, kLargest);
    const bool isBelow = static_cast<double>(std::get<std::int64_t>(value)) < low;
    return static_cast<std::int64_t>(isBelow ? low : high);
}

std::string classLockText(const ClassLock& lock)
{
    const std::string text = nameOfControl(lock) + stateText(lock) + " for this class";
    return lock.sentence.empty() ? text : text + ": " + lock.sentence;
}

Status allowsSetting(std::span<const ClassLock> locks, const Parameter& parameter)
{
    const ClassLock* lock = classLockOf(locks, parameter);
    if (lock == nullptr || lock->kind == ClassLock::Kind::bounded) {
        return Done{};
    }
    return Error{classLockText(*lock)};
}

Status allowsEdit(std::span<const ClassLock> locks, const Scenario& before, const Scenario& after)
{
    if (before == after) {
        return Done{};
    }
    const auto broken = std::find_if(locks.begin(), locks.end(), [&](const ClassLock& lock) {
        return !isKept(lock, before, after);
    });
    return broken == locks.end() ? Status(Done{}) : Status(Error{classLockText(*broken)});
}

} // namespace flopsmith
