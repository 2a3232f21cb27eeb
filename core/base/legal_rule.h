// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"

#include <functional>
#include <type_traits>
#include <utility>

namespace flopsmith {

/// Whether every value that the field can hold is legal. `yes` for a flag or an enumeration whose
/// values are all allowed: then no value needs to be checked.
enum class HoldsAlways { no, yes };

/// Which values are legal, as a function of what they depend on.
template <class... Args>
class LegalRule
{
public:
    LegalRule() = default;

    /// From any function that returns LegalValues. Not explicit, so that a field takes a lambda.
    template <class Rule>
    requires(!std::is_same_v<
                 std::decay_t<Rule>,
                 LegalRule> && std::is_invocable_r_v<LegalValues, const Rule&, const Args&...>)
        // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
        LegalRule(Rule rule, HoldsAlways always = HoldsAlways::no)
        : m_rule(std::move(rule))
        , m_always(always)
    {}

    LegalValues operator()(const Args&... args) const { return m_rule(args...); }

    HoldsAlways holdsAlways() const { return m_always; }

private:
    std::function<LegalValues(const Args&...)> m_rule;
    HoldsAlways m_always = HoldsAlways::no;
};

} // namespace flopsmith
