// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/options.h"

#include "app/terminal/terminal.h"
#include "core/base/printable.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/io/table/table_text.h"
#include "core/json/json_text.h"
#include "core/note/notes_through.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "core/share/open_model.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <limits>
#include <type_traits>

namespace flopsmith::app {
namespace {

template <class Enum>
std::vector<std::string> namesOf()
{
    const auto names = enumNames<Enum>();
    return {names.begin(), names.end()};
}

std::vector<std::string> lensNames()
{
    std::vector<std::string> names;
    for (const Lens& each : lenses()) {
        names.emplace_back(each.name);
    }
    names.emplace_back("deepspeed"); // as calflops
    return names;
}

std::string limitText(double number)
{
    return numberText(number);
}

std::string limitText(std::int64_t number)
{
    return std::to_string(number);
}

// A number, or a quantity as it is printed: "15.6T", "40%", "4k", "0,4". Decimal ones only: CLI11's
// conversion would accept 0x10, and 1.5 as 1.
template <class Number>
std::optional<Number> numberIn(const std::string& text)
{
    if constexpr (std::is_floating_point_v<Number>) {
        return realQuantityOf(text);
    } else {
        return wholeQuantityOf(text);
    }
}

template <class Number>
std::string shortestText(Number value)
{
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), written.ptr};
}

template <class Number>
ValueCheck limits(Number low, Number high, const std::string& what)
{
    const auto inside = [low, high, what](std::string& text) -> std::string {
        const std::optional<Number> value = numberIn<Number>(text);
        if (value && *value >= low && *value <= high) {
            text = shortestText(*value);
            return {};
        }
        return excerpt(text) + " is no " + what + " from " + limitText(low) + " to "
            + limitText(high);
    };
    return {inside, "[" + limitText(low) + " - " + limitText(high) + "]"};
}
Status setFromText(Scenario& scenario, const std::string& setting)
{
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error{"--set " + excerpt(setting)
                     + ": expected KEY=VALUE, as in --set d_model=1024"};
    }
    const Status done =
        setParameter(scenario, setting.substr(0, equals), setting.substr(equals + 1));
    return done ? done : Error{"--set " + done.error().message};
}

} // namespace

Option addLensOption(ArgumentParser command,
                     const std::string& name,
                     std::string& target,
                     const std::string& help)
{
    return command.addOption(name, target, help).oneOf(lensNames()).typeName("NAME");
}

void addAssumeOption(ArgumentParser command, DoubtfulSize& doubtful)
{
    command.addFlag(
        "--assume",
        [&doubtful] { doubtful = DoubtfulSize::assume; },
        "Assume the library's default for a size that a config.json lacks, even where a key that "
        "is not understood may mean it");
}

PairsRule pairsNamed(const std::string& name)
{
    for (const PairsRule rule : {PairsRule::half, PairsRule::full}) {
        if (pairsName(rule) == name) {
            return rule;
        }
    }
    return PairsRule::exact;
}

void ModelOptions::addTo(ArgumentParser command)
{
    command
        .addOption(
            "MODEL",
            m_model,
            "A preset (see flopsmith presets), a .flopsmith file, a share code (see flopsmith "
            "share), or a Hugging Face config.json")
        .required();
    addWorkloadTo(command);
}

void ModelOptions::addWorkloadTo(ArgumentParser command)
{
    addAssumeOption(command, m_doubtful);
    command
        .addOption("--set",
                   m_settings,
                   "Change a parameter (see flopsmith parameters) of all blocks that have it; may "
                   "be repeated, and a key may name one block or some: blocks[3].d_ff=1024, "
                   "blocks[0-5].d_ff=1024")
        .typeName("KEY=VALUE")
        .oneValuePerUse();
    command
        .addOption("--phase",
                   m_phase,
                   "prefill: all tokens at once; decode: one new token; train: forward, backward "
                   "and update")
        .oneOf(namesOf<Phase>())
        .typeName("NAME");
    command.addOption("--batch", m_batch, "Sequences at once").typeName("B");
    command.addOption("--seq", m_sequence, "Tokens per sequence").typeName("S");
    command
        .addOption("--context",
                   m_context,
                   "With --phase decode: keys that the new token sees; what an encoder has read is "
                   "--set source=TOKENS, else S")
        .typeName("C");
}

void ModelOptions::addLensTo(ArgumentParser command)
{
    addLensOption(command, "--lens", m_lens, "What counts as an operation (see flopsmith lenses)");
    command
        .addOption("--pairs",
                   m_pairs,
                   "Query-key pairs of causal attention to charge: those the mask allows, half, "
                   "or all; without it, the lens's own rule")
        .oneOf({"exact", "half", "full"})
        .typeName("RULE");
}

Status ModelOptions::applyTo(Scenario& scenario) const
{
    struct Setting
    {
        const char* option;
        const char* key;
        const std::string& text;
    };
    for (const Setting& setting : {Setting{"--phase", "phase", m_phase},
                                   Setting{"--batch", "batch", m_batch},
                                   Setting{"--seq", "seq", m_sequence}}) {
        if (setting.text.empty()) {
            continue;
        }
        if (const Status done = setParameter(scenario, setting.key, setting.text); !done) {
            return Error{"--" + done.error().message};
        }
    }
    for (const std::string& setting : m_settings) {
        FLOPSMITH_RETURN_IF_ERROR(setFromText(scenario, setting));
    }
    if (m_context.empty()) {
        return Done{};
    }
    if (scenario.workload.phase != Phase::decode) {
        return Error{"--context is the number of keys in decoding; add --phase decode"};
    }
    const Status done = setParameter(scenario, "context", m_context);
    return done ? done : Error{"--" + done.error().message};
}

Project Asked::project(std::vector<std::string>& dropped) const
{
    Project project = loaded;
    project.kept = keptThrough(project.kept, project.scenario.model, scenario.model);
    project.notes = carriedOver(project.notes, project.scenario.model, scenario.model);
    project.scenario = scenario;
    project.rules = holdingRules(project.rules, project.scenario, dropped);
    project.lens = lens;
    return project;
}

Result<Asked> ModelOptions::asked(const std::string& model) const
{
    FLOPSMITH_TRY(Loaded loaded, openedModel(model, Illegal::refuse, m_doubtful));
    Asked asked{.scenario = loaded.project.scenario,
                .lens = loaded.project.lens,
                .notes = loaded.notes,
                .loaded = loaded.project};
    if (m_defaultSequence > 0 && !loaded.isWhole()) {
        asked.scenario.workload.sequence = m_defaultSequence;
    }
    if (const Status done = applyTo(asked.scenario); !done) {
        return Error{modelText(model) + ": " + done.error().message};
    }
    if (const Status legal = validated(asked.scenario); !legal) {
        return Error{modelText(model) + ": " + legal.error().message};
    }
    for (const Problem& problem : problems(asked.scenario)) {
        asked.notes.push_back(problem.key + ": " + problem.message);
    }
    asked.lens = lensNamed(m_lens).value_or(asked.lens);
    if (const Status defined = lensIsDefined(asked.lens, asked.scenario.workload);
        !m_lens.empty() && !defined.ok()) {
        return defined.error();
    }
    asked.pairs = m_pairs.empty() ? lens(asked.lens).pairs : pairsNamed(m_pairs);
    return asked;
}

void OutputOptions::addTo(ArgumentParser command)
{
    command.addOption("--format", m_format, "table, json, csv, markdown or latex")
        .oneOf({"table", "json", "csv", "markdown", "latex"})
        .typeName("NAME")
        .showDefault();
    command
        .addOption(
            "-o,--output", m_target, "Write to this file instead of standard output, which is -")
        .typeName("FILE");
}

ValueCheck between(double low, double high)
{
    return limits<double>(low, high, "number");
}

ValueCheck wholeBetween(std::int64_t low, std::int64_t high)
{
    return limits<std::int64_t>(low, high, "whole number");
}

ValueCheck wholeNumber()
{
    constexpr std::int64_t kMax = std::numeric_limits<int>::max();
    return {limits<std::int64_t>(-kMax, kMax, "whole number").problem};
}

Outcome OutputOptions::of(const Table& table) const
{
    if (m_format == "json") {
        return of(jsonText(tableJson(table), 2) + "\n");
    }
    if (m_format == "csv") {
        return of(csvText(table));
    }
    if (m_format == "markdown") {
        return of(markdownText(table));
    }
    return of(
        m_format == "latex"
            ? latexText(table)
            : plainText(table, isStandardOutput(m_target) ? terminalColumns(STDOUT_FILENO) : 0));
}

Outcome OutputOptions::of(std::string text) const
{
    return {.text = std::move(text), .target = m_target};
}

} // namespace flopsmith::app
