// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/run/training_run.h"

#include <limits>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

constexpr const char* kJobKey = "flopsmith_lab_run";
constexpr int kPlainVersion = 1; ///< of a run without branches
constexpr int kJobVersion = 2;

constexpr const char* kNoJob = "this is no run of a lab: ";
constexpr std::int64_t kMaxWhole = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

Error badJob(const std::string& what)
{
    return {kNoJob + what};
}

std::vector<JobBranch> branchesOf(ObjectReader& job)
{
    std::vector<JobBranch> branches;
    for (ObjectReader& read : job.objects("branches")) {
        branches.push_back({.view = read.oneOf<LabView>("view"),
                            .steps = read.whole("steps", 0, kMaxWhole),
                            .done = read.flag("done"),
                            .logged = read.whole("logged", 0, kMaxWhole)});
    }
    return branches;
}

} // namespace

std::string jobLine(const RunJob& job)
{
    const bool isPlain = job.branches.empty() && job.timedSteps == 0;
    Json json{{kJobKey, isPlain ? kPlainVersion : kJobVersion},
              {"lab", labJson(job.plan)},
              {"arm", job.key.arm},
              {"seed", job.key.seed},
              {"rate", job.key.rate},
              {"tuning", job.key.tuning},
              {"number", job.number},
              {"logged", job.logged},
              {"state", job.state},
              {"model", job.model},
              {"save_every", job.saveEvery}};
    if (!isPlain) {
        json["timed_steps"] = job.timedSteps;
        json["branches"] = Json::array();
    }
    for (const JobBranch& branch : job.branches) {
        json["branches"].push_back({{"view", std::string(enumName(branch.view))},
                                    {"steps", branch.steps},
                                    {"done", branch.done},
                                    {"logged", branch.logged}});
    }
    if (job.paused) {
        json["paused"] = true;
    }
    return jsonText(json);
}

Result<RunJob> jobOfLine(std::string_view line)
{
    const Json json = ownJson(line);
    if (!json.is_object() || !json.contains(kJobKey) || !json.contains("lab")) {
        return badJob("a run is one JSON object on one line");
    }
    if (json.at(kJobKey) != kPlainVersion && json.at(kJobKey) != kJobVersion) {
        return Error{"this program trains runs up to version " + std::to_string(kJobVersion)
                     + "; this run has version " + excerpt(jsonText(json.at(kJobKey)))
                     + "; install the same Flopsmith on both machines"};
    }
    FLOPSMITH_TRY(const LabPlan plan, labFromJson(json.at("lab"), "lab"));
    ObjectReader read(json, kNoJob);
    RunJob job{.plan = plan,
               .key = {.arm = read.text("arm"),
                       .seed = static_cast<int>(read.whole("seed", 0, kMaxInt)),
                       .rate = read.amount("rate"),
                       .tuning = read.flag("tuning")},
               .number = static_cast<std::size_t>(read.whole("number", 0, kMaxWhole)),
               .logged = read.whole("logged", 0, kMaxWhole),
               .state = read.text("state"),
               .model = read.text("model"),
               .saveEvery = read.amount("save_every"),
               .paused = read.flagOr("paused", false)};
    if (json.at(kJobKey) == kJobVersion) {
        job.timedSteps = static_cast<int>(read.whole("timed_steps", 0, kMaxInt));
        job.branches = branchesOf(read);
    }
    if (!read.ok()) {
        return read.status().error();
    }
    if (plan.arm(job.key.arm) == nullptr) {
        return badJob("the lab has no arm " + excerpt(job.key.arm));
    }
    return job;
}

} // namespace flopsmith
