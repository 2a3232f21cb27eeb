// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/tie.h"

#include <string>
#include <vector>

namespace flopsmith {

/// Sets many values for parameters of one scenario, which are looked up once. Its structure is
/// fixed.
class Variation
{
public:
    /// An Error if a key matches no parameter, if a tied parameter is not a number or is varied
    /// itself, if a later key or tie overwrites an earlier one, or if ties form a cycle.
    static Result<Variation> create(const Scenario& base,
                                    const std::vector<std::string>& keys,
                                    const std::vector<Tie>& ties = {});

    /// The scenario with one value per key, legal or not, and its ties applied in order of
    /// dependence.
    Scenario at(const std::vector<FieldValue>& values) const;

    /// The same with illegal values moved to their nearest legal ones, as after setting these
    /// values by hand; at() if not all of them could stay.
    Scenario repairedAt(const std::vector<FieldValue>& values) const;

    /// Why a scenario of at() is illegal; empty if it is legal.
    std::string problem(const Scenario& scenario) const;

    /// Whether every tied parameter of a scenario of at() has exactly its tie's value, rounded for
    /// whole numbers, instead of the nearest legal one.
    bool meetsTies(const Scenario& scenario) const;

    /// The first tie that is not met, and the value that is taken; empty if all are.
    std::string tieNote(const Scenario& scenario) const;

private:
    struct Followers
    {
        Tie tie;
        Parameter source;
        std::vector<Parameter> parameters;

        double wanted(const Scenario& scenario) const;
        /// The first parameter that misses its tie, or null.
        const Parameter* notMet(const Scenario& scenario) const;
    };

    /// The parameters whose values can be illegal, by the part of a scenario that decides it.
    struct PartToJudge
    {
        ParameterScope scope;
        std::vector<const Parameter*> parameters; // of m_table
        bool legalInBase = true;

        bool isLegal(const Scenario& scenario) const;
    };

    void assignTies(Scenario& scenario) const;
    Status addTie(const Tie& tie);
    Status everyKeyCounts(const std::vector<std::string>& keys) const;
    Status orderTies();
    void listPartsToJudge();

    Scenario m_base;
    std::vector<Pattern> m_patterns{}; ///< of at(), where all of their repeats are still equal
    std::vector<ParameterList> m_table;
    std::vector<std::vector<Parameter>> m_varied; // by key
    std::vector<Followers> m_ties;
    std::vector<PartToJudge> m_parts;
};

/// The ties that apply while `key` is varied: ties of parameters that the scenario lacks, as after
/// its FFNs were replaced, are left out.
std::vector<Tie> tiesThatApply(const Scenario& scenario,
                               const std::string& key,
                               const std::vector<Tie>& ties);

} // namespace flopsmith
