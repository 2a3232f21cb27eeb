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

// The utilisation follows from a measured throughput, or is assumed.
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

void addRun(ArgumentParser command, TrainOptions& options)
{
    command.addOption("--tokens", options.tokens, "Tokens to train on, as 300e9")
        .required()
        .check(between(1.0, 1e18))
        .typeName("N");
    command.addOption("--devices", options.devices, "Devices at work")
        .check(wholeBetween(1, 1'000'000'000))
        .typeName("N")
        .showDefault();
    const Option mfu =
        command.addOption("--mfu", options.mfu, "Share of the peak that is used, 0 to 1")
            .check(between(1e-6, 1.0))
            .typeName("SHARE")
            .showDefault();
    command
        .addOption("--tokens-per-second",
                   options.tokensPerSecond,
                   "Instead of --mfu: a measured throughput of all devices together")
        .check(between(1e-6, 1e15))
        .typeName("RATE")
        .excludes(mfu);
    command
        .addOption("--flops-per-token",
                   options.flopsPerToken,
                   "Instead of the counted ones: forward and backward pass, for example 6 x the "
                   "parameters")
        .check(between(1.0, 1e18))
        .typeName("FLOPS");
    command
        .addOption("--pairs",
                   options.pairs,
                   "Query-key pairs of causal attention to charge; published figures mostly "
                   "charge all")
        .oneOf({"exact", "half", "full"})
        .typeName("RULE")
        .showDefault();
}

void addEnergy(ArgumentParser command, TrainOptions& options)
{
    command
        .addOption("--pue",
                   options.powerUsageEffectiveness,
                   "Power of the building over that of the devices")
        .check(between(1.0, 10.0))
        .typeName("FACTOR")
        .showDefault();
    command.addOption("--pj-per-flop", options.picojoulesPerFlop, "Energy of an operation, in pJ")
        .check(between(0.0, 1e6))
        .typeName("PJ");
    command.addOption("--pj-per-byte", options.picojoulesPerByte, "Energy of a moved byte, in pJ")
        .check(between(0.0, 1e6))
        .typeName("PJ");
}

} // namespace

void addTrain(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<TrainOptions>();
    const ArgumentParser command = program.addCommand(
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
