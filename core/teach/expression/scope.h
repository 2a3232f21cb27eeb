// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model_cost.h"
#include "core/teach/expression/cost_parts.h"
#include "core/teach/expression/expression.h"

#include <memory>
#include <string_view>

namespace flopsmith {

/// The remaining budget of one evaluation; shared by all of its scopes.
struct EvaluationBudget
{
    int trees = kMaxTreesPerExpression;
    int steps = 200'000; ///< nodes of the expression
    int nodes = 2'000'000; ///< nodes of cost trees that are searched for parts

    /// Takes one of either; an Error if the budget is spent.
    Status takeTree();
    Status takeStep();

    /// Takes so many nodes; an Error if fewer are left.
    Status takeNodes(int searched);
};

/// The scenario, lens and pairs of a part of an expression, with their costs.
class ExpressionScope
{
public:
    ExpressionScope(LessonContext context, EvaluationBudget& budget);

    EvaluationBudget& budget() const { return *m_budget; }
    const Scenario& scenario() const { return m_context.scenario; }

    ExpressionScope withLens(LensId lens) const;
    ExpressionScope withPairs(PairsRule pairs) const;

    /// After "seq=2048, phase=decode" or "preset:gpt2, seq=128"; an Error if a parameter or preset is
    /// unknown or the scenario is not legal.
    Result<ExpressionScope> with(std::string_view changes) const;

    /// With the parameter set to a number.
    Result<ExpressionScope> at(std::string_view parameter, Count value) const;

    // The quantities of lessons; an Error if the budget is spent or the lens has no parts.
    Result<Value> total() const;
    Result<Value> flops(std::string_view part) const;
    Result<Value> share(std::string_view part) const;
    Result<Value> macs() const;
    Result<Value> parameters() const;
    Result<Value> parameters(std::string_view part) const;
    Result<Value> activeParameters() const;
    Result<Value> memoryBytes(std::string_view kind) const;
    Result<Value> movedBytes(std::string_view kind) const;
    Result<Value> cacheBytesPerToken() const;
    Result<Value> trainingTotal() const;
    Result<Value> tokens() const;
    Result<Value> parameterValue(std::string_view key) const;

private:
    PairsRule pairs() const;
    Result<const CostTree<Count>*> tree() const;
    Result<NodeList> operations(std::string_view part) const;

    LessonContext m_context;
    EvaluationBudget* m_budget; ///< outlives the scope
    mutable std::shared_ptr<const CostTree<Count>> m_tree;
};

} // namespace flopsmith
