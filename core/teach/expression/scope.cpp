// SPDX-License-Identifier: MIT
#include "core/teach/expression/scope.h"

#include "core/base/printable.h"
#include "core/budget/memory.h"
#include "core/budget/training.h"
#include "core/lens/cost_summary.h"
#include "core/lens/lens_total.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/validation.h"
#include "core/teach/expression/arithmetic.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::string_view kPresetMark = "preset:";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Status usePreset(Scenario& scenario, std::string_view id)
{
    const Preset* preset = findPreset(id);
    if (preset == nullptr) {
        return Error{"there is no preset \"" + excerpt(id) + "\"; flopsmith presets lists them"};
    }
    scenario.model = preset->make();
    scenario.workload.precision = preset->precision();
    return Done{};
}

Status applyChange(Scenario& scenario, std::string_view change)
{
    if (change.substr(0, kPresetMark.size()) == kPresetMark) {
        return usePreset(scenario, change.substr(kPresetMark.size()));
    }
    const std::size_t equals = change.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return Error{"\"" + excerpt(change) + "\" is neither KEY=VALUE nor preset:NAME"};
    }
    return setParameter(scenario,
                        parameterKey(trimmed(change.substr(0, equals))),
                        trimmed(change.substr(equals + 1)));
}

// A choice among numbers ("16", "32") is a number.
Value valueOfText(const std::string& text)
{
    constexpr std::size_t kMaxDigits = 18;
    const bool isNumber = !text.empty() && text.size() <= kMaxDigits
        && text.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? Value(Count{std::stoll(text)}) : Value(text);
}

struct MovedKind
{
    std::string_view name;
    Count TrafficBytes::*bytes;
};

constexpr std::array<MovedKind, 7> kMovedKinds{{
    {"weights", &TrafficBytes::weights},
    {"read", &TrafficBytes::read},
    {"written", &TrafficBytes::written},
    {"kv_read", &TrafficBytes::kvRead},
    {"kv_written", &TrafficBytes::kvWritten},
    {"gradients", &TrafficBytes::gradients},
    {"states", &TrafficBytes::states},
}};

} // namespace

std::string_view parameterKey(std::string_view key)
{
    return key == "sequence" ? "seq" : key;
}

Status EvaluationBudget::takeTree()
{
    if (trees <= 0) {
        return Error{"the expression computes more than " + std::to_string(kMaxTreesPerExpression)
                     + " cost trees; crossing() inside crossing() does"};
    }
    --trees;
    return Done{};
}

Status EvaluationBudget::takeStep()
{
    if (steps <= 0) {
        return Error{"the expression takes too many steps"};
    }
    --steps;
    return Done{};
}

Status EvaluationBudget::takeNodes(int searched)
{
    if (searched > nodes) {
        return Error{"the expression takes too many steps"};
    }
    nodes -= searched;
    return Done{};
}

ExpressionScope::ExpressionScope(LessonContext context, EvaluationBudget& budget)
    : m_context(std::move(context))
    , m_budget(&budget)
{}

ExpressionScope ExpressionScope::withLens(LensId lens) const
{
    LessonContext context = m_context;
    context.lens = lens;
    return {std::move(context), *m_budget};
}

ExpressionScope ExpressionScope::withPairs(PairsRule pairs) const
{
    LessonContext context = m_context;
    context.pairs = pairs;
    return {std::move(context), *m_budget};
}

Result<ExpressionScope> ExpressionScope::with(std::string_view changes) const
{
    FLOPSMITH_RETURN_IF_ERROR(m_budget->takeTree());
    LessonContext context = m_context;
    while (!changes.empty()) {
        const std::size_t end = std::min(changes.find(','), changes.size());
        FLOPSMITH_RETURN_IF_ERROR(applyChange(context.scenario, trimmed(changes.substr(0, end))));
        changes.remove_prefix(std::min(end + 1, changes.size()));
    }
    if (context.scenario.model.runs.size() > kMaxLessonRuns) {
        return Error{"the design has too many different blocks for a lesson"};
    }
    FLOPSMITH_RETURN_IF_ERROR(validated(context.scenario));
    return ExpressionScope(std::move(context), *m_budget);
}

Result<ExpressionScope> ExpressionScope::at(std::string_view parameter, Count value) const
{
    return with(std::string(parameter) + "=" + digits(value));
}

PairsRule ExpressionScope::pairs() const
{
    return m_context.pairs.value_or(lens(m_context.lens).pairs);
}

Result<const CostTree<Count>*> ExpressionScope::tree() const
{
    if (!m_tree) {
        FLOPSMITH_RETURN_IF_ERROR(m_budget->takeTree());
        m_tree = std::make_shared<const CostTree<Count>>(costTree(scenario(), pairs()));
    }
    return m_tree.get();
}

Result<NodeList> ExpressionScope::operations(std::string_view part) const
{
    FLOPSMITH_TRY(const auto whole, tree());
    FLOPSMITH_RETURN_IF_ERROR(m_budget->takeNodes(whole->size()));
    NodeList found = operationsNamed(*whole, part);
    if (found.empty()) {
        return Error{"the model has no part \"" + excerpt(part) + "\"; it has "
                     + partNames(*whole)};
    }
    return found;
}

Result<Value> ExpressionScope::total() const
{
    FLOPSMITH_TRY(const auto whole, tree());
    const std::optional<Count> figure =
        lensFigure(scenario(), m_context.lens, *whole, whole->total().count);
    if (!figure) {
        return lensIsDefined(m_context.lens, scenario().workload).error();
    }
    return Value(*figure);
}

Result<Value> ExpressionScope::flops(std::string_view part) const
{
    if (lens(m_context.lens).isFormula()) {
        return Error{"the lens " + std::string(lens(m_context.lens).name)
                     + " is a formula for whole models and says nothing of their parts"};
    }
    FLOPSMITH_TRY(const NodeList nodes, operations(part));
    Count sum = 0;
    for (const int node : nodes) {
        sum += m_tree->timesUsed(node) * pricedNode<Count>(m_context.lens, m_tree->node(node));
    }
    return Value(sum);
}

Result<Value> ExpressionScope::share(std::string_view part) const
{
    const Result<Value> own = flops(part);
    if (!own) {
        return own;
    }
    const Result<Value> whole = total();
    return whole ? quotientOf(*own, *whole) : whole;
}

Result<Value> ExpressionScope::macs() const
{
    const auto whole = tree();
    return whole ? Result<Value>(Value((*whole)->total().count.mac)) : whole.error();
}

Result<Value> ExpressionScope::parameters() const
{
    const auto whole = tree();
    return whole ? Result<Value>(Value((*whole)->total().parameters.trainable)) : whole.error();
}

Result<Value> ExpressionScope::parameters(std::string_view part) const
{
    FLOPSMITH_TRY(const NodeList nodes, operations(part));
    Count sum = 0;
    for (const int node : nodes) {
        sum += m_tree->timesUsed(node) * m_tree->node(node).cost.parameters.trainable;
    }
    return Value(sum);
}

Result<Value> ExpressionScope::activeParameters() const
{
    const auto whole = tree();
    return whole ? Result<Value>(Value(flopsmith::activeParameters(**whole, scenario().model)))
                 : whole.error();
}

Result<Value> ExpressionScope::memoryBytes(std::string_view kind) const
{
    const auto names = enumNames<MemoryKind>();
    const auto found = std::find(names.begin(), names.end(), kind);
    if (found == names.end() && !kind.empty()) {
        std::string known;
        for (const std::string_view name : names) {
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        return Error{"there is no kind of memory \"" + excerpt(kind) + "\"; known are " + known};
    }
    FLOPSMITH_RETURN_IF_ERROR(m_budget->takeTree());
    const Memory needed = memory(scenario());
    return Value(kind.empty() ? needed.total()
                              : needed.total(static_cast<MemoryKind>(found - names.begin())));
}

Result<Value> ExpressionScope::movedBytes(std::string_view kind) const
{
    const auto found = std::find_if(kMovedKinds.begin(),
                                    kMovedKinds.end(),
                                    [kind](const MovedKind& each) { return each.name == kind; });
    if (found == kMovedKinds.end() && !kind.empty()) {
        std::string known;
        for (const MovedKind& each : kMovedKinds) {
            known += (known.empty() ? "" : ", ") + std::string(each.name);
        }
        return Error{"there is no kind of traffic \"" + excerpt(kind) + "\"; known are " + known};
    }
    FLOPSMITH_TRY(const auto whole, tree());
    const TrafficBytes moved = bytes(*whole, 0, scenario().workload.precision);
    return Value(kind.empty() ? moved.total() : moved.*(found->bytes));
}

Result<Value> ExpressionScope::cacheBytesPerToken() const
{
    return Value(kvCacheBytesPerToken(scenario()));
}

Result<Value> ExpressionScope::trainingTotal() const
{
    LessonContext training = m_context;
    training.scenario = inTraining(scenario());
    FLOPSMITH_RETURN_IF_ERROR(validated(training.scenario));
    return ExpressionScope(std::move(training), *m_budget).total();
}

Result<Value> ExpressionScope::tokens() const
{
    return Value(Count{scenario().workload.batch} * scenario().queryTokens());
}

Result<Value> ExpressionScope::parameterValue(std::string_view key) const
{
    const std::optional<Parameter> parameter = firstParameter(scenario(), parameterKey(key));
    if (!parameter) {
        return Error{"the model has no parameter \"" + excerpt(key)
                     + "\"; flopsmith parameters lists them"};
    }
    const FieldValue value = parameter->value(scenario());
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return Value(Count{*whole});
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return Value(*real);
    }
    const auto* truth = std::get_if<bool>(&value);
    return truth != nullptr ? Value(*truth) : valueOfText(std::get<std::string>(value));
}

} // namespace flopsmith
