// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/io/reports/training_report.h"

#include <optional>

namespace flopsmith::app {
namespace {

struct TrainOptions
{
    ModelOptions model;
    HardwareOptions hardware;
    OutputOptions output;
    double tokens = 0.0;
    double devices = 1.0;
    double mfu = 0.4;
    std::optional<double> tokensPerSecond;
    std::optional<double> flopsPerToken;
    double powerUsageEffectiveness = 1.0;
    std::optional<double> picojoulesPerFlop;
    std::optional<double> picojoulesPerByte;
    std::string pairs = "full";
};

// A measured throughput says what the utilisation is; without one it is assumed.
double utilisationOf(const TrainOptions& options, const TrainingRun& run)
{
    return options.tokensPerSecond
        ? utilisation(
            *options.tokensPerSecond * run.flopsPerToken, 1.0, run.devices, run.peakFlopsPerSecond)
        : options.mfu;
}

Outcome train(const TrainOptions& options)
{
    Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    std::vector<std::string> notes = asked->notes;
    const auto peak = options.hardware.peak(asked->scenario.workload.precision, notes);
    if (const auto* failed = std::get_if<Outcome>(&peak)) {
        return *failed;
    }
    TrainingReport report =
        trainingReport(asked->scenario, std::get<HardwarePeak>(peak), pairsNamed(options.pairs));
    report.run.tokens = options.tokens;
    report.run.devices = options.devices;
    report.run.flopsPerToken = options.flopsPerToken.value_or(report.flops.model);
    report.run.utilisation = utilisationOf(options, report.run);
    report.powerUsageEffectiveness = options.powerUsageEffectiveness;
    report.picojoulesPerFlop = options.picojoulesPerFlop;
    report.picojoulesPerByte = options.picojoulesPerByte;
    Outcome outcome = options.output.of(trainingTable(report));
    outcome.notes = std::move(notes);
    if (report.run.utilisation > 1.0) {
        outcome.notes.push_back("MFU is above 100 %: the throughput, the peak or the FLOPs per "
                                "token cannot be right together");
    }
    return outcome;
}

void addRun(CLI::App& command, TrainOptions& options)
{
    command.add_option("--tokens", options.tokens, "Tokens to train on, as 300e9")
        ->required()
        ->check(between(1.0, 1e18))
        ->type_name("N");
    command.add_option("--devices", options.devices, "Devices at work")
        ->check(wholeBetween(1, 1'000'000'000))
        ->type_name("N")
        ->capture_default_str();
    CLI::Option* mfu =
        command.add_option("--mfu", options.mfu, "Share of the peak that is used, 0 to 1")
            ->check(between(1e-6, 1.0))
            ->type_name("SHARE")
            ->capture_default_str();
    command
        .add_option("--tokens-per-second",
                    options.tokensPerSecond,
                    "Instead of --mfu: a measured throughput of all devices together")
        ->check(between(1e-6, 1e15))
        ->type_name("RATE")
        ->excludes(mfu);
    command
        .add_option("--flops-per-token",
                    options.flopsPerToken,
                    "Instead of the counted ones: forward and backward pass, for example 6 x the "
                    "parameters")
        ->check(between(1.0, 1e18))
        ->type_name("FLOPS");
    command
        .add_option("--pairs",
                    options.pairs,
                    "Query-key pairs of causal attention to charge; published figures mostly "
                    "charge all")
        ->check(CLI::IsMember({"exact", "half", "full"}))
        ->type_name("RULE")
        ->capture_default_str();
}

void addEnergy(CLI::App& command, TrainOptions& options)
{
    command
        .add_option("--pue",
                    options.powerUsageEffectiveness,
                    "Power of the building over that of the devices")
        ->check(between(1.0, 10.0))
        ->type_name("FACTOR")
        ->capture_default_str();
    command.add_option("--pj-per-flop", options.picojoulesPerFlop, "Energy of an operation, in pJ")
        ->check(between(0.0, 1e6))
        ->type_name("PJ");
    command.add_option("--pj-per-byte", options.picojoulesPerByte, "Energy of a moved byte, in pJ")
        ->check(between(0.0, 1e6))
        ->type_name("PJ");
}

} // namespace

void addTrain(CLI::App& program, Command& chosen)
{
    auto options = std::make_shared<TrainOptions>();
    CLI::App& command = *program.add_subcommand(
        "train", "How long training takes on so many devices, and what energy it needs");
    options->model.addTo(command);
    addRun(command, *options);
    options->hardware.addTo(command);
    addEnergy(command, *options);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return train(*options); }; });
    command.footer("Example: flopsmith train llama-2-7b --tokens 2e12 --seq 4096 --devices 2048 "
                   "--hardware a100-sxm-80gb --mfu 0.45 --set weight_bits=16 --set "
                   "activation_bits=16");
}

} // namespace flopsmith::app
