// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"
#include "core/io/reading.h"
#include "core/io/reports/cost_report.h"
#include "core/io/table/table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// A model and its workload as given on the command line.
struct Asked
{
    Scenario scenario{};
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::vector<std::string> notes{}; ///< of the import and of validation
    Project loaded{}; ///< as it was before the options

    /// The project with the options applied to its scenario. Unknown keys of its file and notes on
    /// its blocks follow the changes; `dropped` gets a sentence for each rule that no longer holds.
    Project project(std::vector<std::string>& dropped) const;
};

/// An option whose value is the name of a lens.
Option addLensOption(ArgumentParser command,
                     const std::string& name,
                     std::string& target,
                     const std::string& help);

/// --assume: continue with the default for a missing size although another key may mean it.
void addAssumeOption(ArgumentParser command, DoubtfulSize& doubtful);

/// exact, half or full.
PairsRule pairsNamed(const std::string& name);

/// MODEL, --assume, --set, --phase, --batch, --seq, --context: the same for every command that has
/// a model.
class ModelOptions
{
public:
    void addTo(ArgumentParser command);

    /// All of these except MODEL, for a command with several models.
    void addWorkloadTo(ArgumentParser command);

    /// Also --lens and --pairs.
    void addLensTo(ArgumentParser command);

    /// The workload that the command starts from, unless the model's file has its own.
    void setDefaultSequence(int tokens) { m_defaultSequence = tokens; }

    /// The default of MODEL.
    void setDefaultModel(std::string name) { m_model = std::move(name); }

    /// Makes MODEL optional without a default: the command then checks isNamed().
    void makeOptional(ArgumentParser command) { command.option("MODEL").required(false); }
    bool isNamed() const { return !m_model.empty(); }
    const std::string& name() const { return m_model; }

    /// Whether --pairs is given.
    bool namesPairs() const { return !m_pairs.empty(); }

    /// Whether doubtful sizes are an error in the configs of other models too.
    DoubtfulSize doubtful() const { return m_doubtful; }

    /// Loads the model, applies the options, and validates.
    Result<Asked> asked() const { return asked(m_model); }

    /// Another model under the same options.
    Result<Asked> asked(const std::string& model) const;

private:
    Status applyTo(Scenario& scenario) const;

    std::string m_model;
    DoubtfulSize m_doubtful = DoubtfulSize::refuse;
    std::vector<std::string> m_settings;
    std::string m_phase;
    std::string m_batch;
    std::string m_sequence;
    std::string m_context;
    std::string m_lens;
    std::string m_pairs;
    int m_defaultSequence = 0;
};

/// A number between both limits, inclusive.
ValueCheck between(double low, double high);
ValueCheck wholeBetween(std::int64_t low, std::int64_t high);

/// A whole number; its limits are checked elsewhere.
ValueCheck wholeNumber();

/// --format and --output of a command that prints a table.
class OutputOptions
{
public:
    void addTo(ArgumentParser command);

    /// Whether --format json was given, for commands with a JSON of their own.
    bool isJson() const { return m_format == "json"; }
    bool isCsv() const { return m_format == "csv"; }
    bool isLatex() const { return m_format == "latex"; }
    bool isForPeople() const { return m_format == "table"; }
    /// Whether a program reads the output, so that all digits are printed.
    bool isExact() const { return m_format == "json" || m_format == "csv"; }

    /// The output file; empty: standard output.
    const std::string& target() const { return m_target; }

    Outcome of(const Table& table) const;
    Outcome of(std::string text) const;

private:
    std::string m_format = "table";
    std::string m_target;
};

} // namespace flopsmith::app
