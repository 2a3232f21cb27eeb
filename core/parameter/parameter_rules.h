// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/differences.h"
#include "core/parameter/tie.h"
#include "core/parameter/wishes.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A tie of one parameter; its source belongs to the same run of blocks, to the model or to the
/// workload.
struct TiedPlace
{
    ParameterPlace place;
    Tie tie; ///< `key` is the parameter's own name

    bool operator==(const TiedPlace&) const = default;
};

/// A parameter that keeps its value when others change.
struct LockedPlace
{
    ParameterPlace place;
    FieldValue value;

    bool operator==(const LockedPlace&) const = default;
};

/// The rules that set parameters besides the person at the slider.
struct ParameterRules
{
    std::vector<TiedPlace> ties;
    std::vector<LockedPlace> locks;

    bool isEmpty() const { return ties.empty() && locks.empty(); }
    bool operator==(const ParameterRules&) const = default;

    /// The tie or lock of a parameter, or null.
    const Tie* tieOf(const ParameterPlace& place) const;
    const LockedPlace* lockOf(const ParameterPlace& place) const;

    void removeTie(const ParameterPlace& place);
    void removeLock(const ParameterPlace& place);
};

/// The source that a tie of a parameter at `place` names: in the same run, otherwise in the model
/// or the workload. The Error says what is unknown, ambiguous or not a number.
Result<Parameter> sourceOf(const Scenario& scenario,
                           const ParameterPlace& place,
                           const std::string& source);

/// The names that a tie of a parameter at `place` can use, each as short as is unambiguous: for
/// completion.
std::vector<std::string> possibleSources(const Scenario& scenario, const ParameterPlace& place);

/// Ties the parameter to an expression such as "4*d_model", in place of an earlier tie. If that is
/// impossible the Error says why in one sentence, and nothing changes. Values change with the next
/// follow().
Status addTie(ParameterRules& rules,
              const Scenario& scenario,
              const ParameterPlace& place,
              std::string_view expression);

/// Locks the parameter at its present value. An Error if it is tied.
Status addLock(ParameterRules& rules, const Scenario& scenario, const ParameterPlace& place);

/// Why a parameter cannot be set by hand, and how it can; Done if it can.
Status settable(const ParameterRules& rules, const Scenario& scenario, const ParameterPlace& place);

/// Gives every tied parameter the legal value nearest to its expression, and repairs the values
/// that this makes illegal.
void follow(Scenario& scenario, const ParameterRules& rules);

/// Restores the values of locked parameters. The Error names a lock that this makes illegal.
Status keepLocks(Scenario& scenario, const ParameterRules& rules);

/// setWithWishes() and follow(). Ties are followed before values are repaired, so that heads =
/// d_model/64 makes a d_model possible that the old heads do not divide.
void setWithRules(Scenario& scenario,
                  Wishes& wishes,
                  const ParameterRules& rules,
                  const Parameter& parameter,
                  const FieldValue& value,
                  const std::function<void(Scenario&)>& copy = {});

/// The ties with the keys of their parameters in the whole scenario, of every repeat of a pattern,
/// as a sweep or a search takes them.
std::vector<Tie> keyedTies(const Scenario& scenario, const ParameterRules& rules);

/// An Error if a tie drives a parameter of this key: it takes no values of its own in a sweep.
Status variable(const ParameterRules& rules, const Scenario& scenario, const std::string& key);

/// "d_ff = 4·d_model: 3072 → 4096", and why it is another value if the expression's is not legal.
std::string followedText(const ParameterDifference& change, const Tie& tie, const Scenario& after);

/// The rules after an edit of the stack: they move with their runs, copies of a run have them too,
/// and rules of removed parameters are dropped.
ParameterRules carriedOver(const ParameterRules& rules,
                           const Scenario& before,
                           const Scenario& after);

/// The rules that hold in a scenario; for each of the others the reason, as a sentence.
ParameterRules holdingRules(const ParameterRules& rules,
                            const Scenario& scenario,
                            std::vector<std::string>& reasons);

} // namespace flopsmith
