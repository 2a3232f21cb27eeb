// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/model_commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/export/torch/tensors/stored_weights.h"
#include "core/run/model_run.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace flopsmith::app {
namespace {

// A larger model would not fit into the memory of most machines as double.
constexpr std::int64_t kMaxParameters = 1'000'000'000;

struct LogitsOptions
{
    ModelOptions model;
    OutputOptions output;
    std::string tokens;
    std::string source;
    std::string weights;
    std::string precision = "double";
    int seed = 7;
    int top = 5;
};

Result<std::vector<int>> parsedTokens(const std::string& text, const std::string& option)
{
    std::vector<int> tokens;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at <= end) {
        int token = 0;
        const auto [next, code] = std::from_chars(at, end, token);
        if (code != std::errc() || token < 0 || (next != end && *next != ',')) {
            return Error{option + " " + excerpt(text) + ": numbers of tokens look like 1,2,3"};
        }
        tokens.push_back(token);
        at = next + 1;
    }
    return tokens;
}

template <class S>
Result<Weights<S>> weightsFor(const LogitsOptions& options,
                              const Model& model,
                              const ModelPlan& plan,
                              std::vector<std::string>& notes)
{
    if (options.weights.empty()) {
        return randomWeights<S>(plan.shapes(), static_cast<std::uint64_t>(options.seed));
    }
    FLOPSMITH_TRY(const auto file, SafetensorsFolder::open(options.weights));
    return torch::readStoredWeights<S>(file, model, plan, &notes);
}

template <class S>
Result<std::vector<double>> outputsOf(const LogitsOptions& options,
                                      const Model& model,
                                      const ModelPlan& plan,
                                      const std::vector<int>& tokens,
                                      const std::vector<int>& source,
                                      std::vector<std::string>& notes)
{
    FLOPSMITH_TRY(const Weights<S> weights, weightsFor<S>(options, model, plan, notes));
    ModelInputs<S> inputs;
    inputs.tokens = tokens;
    inputs.source = source;
    FLOPSMITH_TRY(const auto run, forward<S>(plan, weights, inputs));
    return std::vector<double>(run.outputs.begin(), run.outputs.end());
}

// The outputs of a model: rows of values, one for each token or one for the sequence.
struct OutputKind
{
    bool ofEachToken = true;
    const char* column = "token"; ///< the meaning of a value in a row
    const char* value = "logit";
};

OutputKind outputKind(const Head& head)
{
    switch (head.kind) {
    case HeadKind::lm: return {};
    case HeadKind::classifier: return {.ofEachToken = false, .column = "class"};
    case HeadKind::tokens: return {.column = "class"};
    case HeadKind::pooler: return {.ofEachToken = false, .column = "feature", .value = "value"};
    case HeadKind::none: return {.column = "feature", .value = "value"};
    }
    return {};
}

// The largest values of each row, the largest first.
Table outputsTable(const std::vector<double>& outputs,
                   std::size_t rows,
                   const OutputKind& kind,
                   int top)
{
    Table table;
    table.columns = {{"position", "position"},
                     {"rank", "rank"},
                     {kind.column, kind.column},
                     {kind.value, kind.value}};
    const std::size_t columns = outputs.size() / rows;
    const std::size_t shown = std::min(columns, static_cast<std::size_t>(top));
    std::vector<std::size_t> order(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        const double* logits = outputs.data() + row * columns;
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::partial_sort(order.begin(),
                          order.begin() + static_cast<std::ptrdiff_t>(shown),
                          order.end(),
                          [logits](std::size_t a, std::size_t b) {
                              return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
                          });
        for (std::size_t rank = 0; rank < shown; ++rank) {
            table.rows.push_back({Cell::of(static_cast<std::int64_t>(row)),
                                  Cell::of(static_cast<std::int64_t>(rank + 1)),
                                  Cell::of(static_cast<std::int64_t>(order[rank])),
                                  Cell::number(logits[order[rank]])});
        }
    }
    return table;
}

// The input of the encoder; nothing for a model without one.
Result<std::vector<int>> sourceOf(const LogitsOptions& options, const Model& model)
{
    if (model.hasEncoder() && options.source.empty()) {
        return Error{printable(model.name) + " has an encoder; name what it reads: --source 1,2,3"};
    }
    if (!model.hasEncoder() && !options.source.empty()) {
        return Error{printable(model.name) + " has no encoder that reads --source"};
    }
    return model.hasEncoder() ? parsedTokens(options.source, "--source") : std::vector<int>();
}

// The plan of a model that the reference can hold.
Result<ModelPlan> runnablePlan(const Scenario& scenario)
{
    FLOPSMITH_TRY(const ModelPlan plan, planOf(scenario));
    const WeightShapes shapes = plan.shapes();
    const std::int64_t parameters =
        std::accumulate(shapes.begin(), shapes.end(), std::int64_t{0}, [](auto sum, const auto& w) {
            return sum + w.size();
        });
    if (parameters > kMaxParameters) {
        return Error{printable(scenario.model.name) + " has " + std::to_string(parameters)
                     + " parameters; the reference runs models of at most "
                     + std::to_string(kMaxParameters)};
    }
    return plan;
}

Result<Table> logitsOf(const LogitsOptions& options,
                       Scenario scenario,
                       std::vector<std::string>& notes)
{
    FLOPSMITH_TRY(const std::vector<int> tokens, parsedTokens(options.tokens, "--tokens"));
    const Model& model = scenario.model;
    if (model.embedding.readsPatches()) {
        return Error{printable(model.name) + " reads images; name a model that reads tokens"};
    }
    FLOPSMITH_TRY(const std::vector<int> source, sourceOf(options, model));
    scenario.workload.phase = Phase::prefill;
    scenario.workload.batch = 1;
    scenario.workload.sequence = static_cast<int>(tokens.size());
    scenario.workload.source = static_cast<int>(source.size());
    FLOPSMITH_TRY(const ModelPlan plan, runnablePlan(scenario));
    FLOPSMITH_TRY(const auto outputs,
                  options.precision == "float"
                      ? outputsOf<float>(options, model, plan, tokens, source, notes)
                      : outputsOf<double>(options, model, plan, tokens, source, notes));
    const OutputKind kind = outputKind(model.head);
    return outputsTable(outputs, kind.ofEachToken ? tokens.size() : 1, kind, options.top);
}

Outcome logits(const LogitsOptions& options)
{
    Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    Result<Table> table = logitsOf(options, asked->scenario, asked->notes);
    if (!table) {
        return Outcome::badInput(table.error());
    }
    if (options.output.isForPeople()) {
        table->caption = printable(asked->scenario.model.name)
            + (options.weights.empty() ? ", random weights of seed " + std::to_string(options.seed)
                                       : ", weights of " + printable(options.weights));
    }
    Outcome outcome = options.output.of(*table);
    outcome.notes = asked->notes;
    return outcome;
}

} // namespace

void addLogits(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<LogitsOptions>();
    const ArgumentParser command = program.addCommand(
        "logits",
        "Runs a model by the reference and prints its largest logits, or values of features");
    options->model.addTo(command);
    options->model.setDefaultSequence(1); // the number of tokens determines it
    command.addOption("--tokens", options->tokens, "Numbers of tokens: 1,2,3").required();
    command.addOption("--source", options->source, "Those that an encoder reads");
    command.addOption("--weights",
                      options->weights,
                      "A safetensors file, or a folder of them, as export torch writes them");
    command.addOption("--seed", options->seed, "The seed of random weights").showDefault();
    command.addOption("--precision", options->precision, "In which it computes")
        .oneOf({"double", "float"})
        .showDefault();
    command.addOption("--top", options->top, "How many logits of each position")
        .check(wholeBetween(1, 1'000'000))
        .showDefault();
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return logits(*options); }; });
    command.footer("Example: flopsmith logits tiny --tokens 1,2,3 --precision double");
}

} // namespace flopsmith::app
