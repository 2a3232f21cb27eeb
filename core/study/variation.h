// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/parameter_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A parameter that follows another one: `key` takes the legal value nearest to `factor` times the
/// value of `source`. "d_ff = 4·d_model" keeps a model's shape while it grows.
struct Tie
{
    std::string key;
    double factor = 1;
    std::string source;

    bool operator==(const Tie&) const = default;
};

/// "d_ff=4*d_model", "heads=d_model/64", "d_ff=d_model"; an Error in one sentence.
Result<Tie> parsedTie(std::string_view text);

/// A scenario whose parameters, looked up once, take many values: all of them have its structure.
class Variation
{
public:
    /// An Error if a key means no parameter, or a tied one is no number or swept itself.
    static Result<Variation> create(const Scenario& base,
                                    const std::vector<std::string>& keys,
                                    const std::vector<Tie>& ties = {});

    /// The scenario with one value per key, legal or not, and its ties followed in their order.
    Scenario at(const std::vector<FieldValue>& values) const;

    /// What is not legal in a scenario of at(); empty if nothing is.
    std::string problem(const Scenario& scenario) const;

private:
    struct Followers
    {
        double factor = 1;
        Parameter source;
        std::vector<Parameter> parameters;
    };

    /// The parameters whose values can be illegal, by the part of a scenario that decides it.
    struct PartToJudge
    {
        ParameterScope scope;
        std::vector<const Parameter*> parameters; // of m_table
        bool legalInBase = true;

        bool isLegal(const Scenario& scenario) const;
    };

    Status addTie(const Tie& tie);
    void listPartsToJudge();

    Scenario m_base;
    std::vector<ParameterList> m_table;
    std::vector<std::vector<Parameter>> m_varied; // by key
    std::vector<Followers> m_ties;
    std::vector<PartToJudge> m_parts;
};

} // namespace flopsmith
