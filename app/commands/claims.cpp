// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/measuring/claims_run.h"
#include "app/options/claim_options.h"
#include "app/options/device_options.h"
#include "app/options/options.h"
#include "core/io/reports/claims_table.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/results/learned_claims.h"

namespace flopsmith::app {
namespace {

struct ClaimsCommandOptions
{
    ClaimOptions claims;
    DeviceOptions device;
    OutputOptions output;
    std::string lab;
    bool countOnly = false;
};

// The log that --lab names, or the program's own.
Result<std::vector<LearnedClaim>> learnedOf(const ClaimsCommandOptions& options,
                                            const std::vector<Claim>& claims)
{
    if (options.lab.empty()) {
        return learnedClaims(claims, shippedClaimsLog());
    }
    const Result<LabLog> log = readLabLog(options.lab);
    return log ? Result<std::vector<LearnedClaim>>(learnedClaims(claims, *log)) : log.error();
}

// The trained sizes, which are narrower than the counted ones.
std::string trainedText(const std::vector<LearnedClaim>& learned)
{
    for (const LearnedClaim& each : learned) {
        if (!each.run.empty()) {
            return "\n  trained on " + each.run + "; gains are over no FFN at all";
        }
    }
    return "\n  none of these FFNs is an arm of the lab; flopsmith lab run --arms claims trains "
           "them";
}

std::string headline(const ClaimSizes& sizes, const ClaimsRun& run)
{
    std::string text = "What design notes claim, at d_model " + std::to_string(sizes.dModel)
        + ", d_ff " + std::to_string(sizes.dFf) + ", " + std::to_string(sizes.tokens)
        + " tokens, float32; ratios are the dense FFN's figure over the variant's";
    const auto& described = run.run.outcome.described;
    text += described ? "\n  measured on " + run.run.deviceName + " (" + described->device + ")"
                      : "\n  counted only";
    return text;
}

// Why a part has no time, a line each.
std::vector<std::string> failures(const MeasuringRun& run)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
        if (!run.outcome.parts.at(i).measured) {
            lines.push_back(run.plan[i].title + ": " + run.outcome.parts[i].sentence);
        }
    }
    return lines;
}

Outcome claims(const ClaimsCommandOptions& options)
{
    const Result<ClaimSizes> sizes = options.claims.sizes();
    if (!sizes) {
        return Outcome::badInput(sizes.error());
    }
    ClaimsRun run = countedClaims(*sizes);
    if (!options.countOnly) {
        const Result<Device> device = options.device.device();
        if (!device) {
            return noDevice(device.error());
        }
        run = measuredClaims(*sizes, *device, options.device.measuring(), options.device.store());
        if (run.run.outcome.unavailable) {
            return Outcome::failure(ExitCode::deviceUnavailable,
                                    run.run.outcome.unavailable->message);
        }
    }
    const Result<std::vector<LearnedClaim>> learned = learnedOf(options, run.claims);
    if (!learned) {
        return Outcome::badInput(learned.error());
    }
    const bool people = options.output.isForPeople();
    Table table = people ? claimsTableForPeople(run.claims, run.measured, *learned)
                         : claimsTable(run.claims, run.measured, *learned);
    table.caption = headline(*sizes, run) + trainedText(*learned);
    Outcome outcome = options.output.of(table);
    outcome.notes = failures(run.run);
    for (std::string& note : run.run.notes()) {
        outcome.notes.push_back(std::move(note));
    }
    return outcome;
}

} // namespace

void addClaims(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ClaimsCommandOptions>();
    const ArgumentParser command = program.addCommand(
        "claims",
        "What was promised of each FFN, what is counted and measured, and whether it learns");
    options->claims.addTo(command);
    options->device.addTo(command);
    command.addFlag("--count-only", options->countOnly, "Do not measure");
    command.addOption("--lab",
                      options->lab,
                      "A log of flopsmith lab run --arms claims; without it that of the program");
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return claims(*options); }; });
    command.footer("Example: flopsmith claims --d 4096 --d-ff 16384 --tokens 512 --budget 60");
}

} // namespace flopsmith::app
