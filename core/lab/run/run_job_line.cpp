// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/lab/lab_file.h"
#include "core/lab/run/training_run.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

constexpr const char* kJobKey = "flopsmith_lab_run";
constexpr int kPlainVersion = 1; ///< of a run without branches
constexpr int kJobVersion = 2;

Error badJob(const std::string& what)
{
    return {"this is no run of a lab: " + what};
}

// The values of one kind each, or what is missing.
class JobReader
{
public:
    explicit JobReader(const Json& json)
        : m_json(json)
    {}

    std::string text(const char* key) { return value<std::string>(key, &Json::is_string); }
    bool flag(const char* key) { return value<bool>(key, &Json::is_boolean); }
    double real(const char* key) { return value<double>(key, &Json::is_number); }

    std::int64_t whole(const char* key)
    {
        const auto number = value<std::int64_t>(key, &Json::is_number_integer);
        if (number < 0) {
            m_missing = key;
        }
        return number;
    }

    const std::string& missing() const { return m_missing; }

private:
    template <class T>
    T value(const char* key, bool (Json::*isRight)() const)
    {
        const Json* found = m_json.find(key);
        if (found == nullptr || !(found->*isRight)()) {
            m_missing = key;
            return T{};
        }
        return found->get<T>();
    }

    const Json& m_json;
    std::string m_missing;
};

Status readBranches(const Json& json, std::vector<JobBranch>& branches)
{
    const Json* found = json.find("branches");
    if (found == nullptr || !found->is_array()) {
        return badJob("\"branches\" is missing, or of another kind");
    }
    const std::vector<std::string_view> names = enumNames<LabView>();
    for (const Json& each : *found) {
        JobReader reader(each);
        const std::string name = reader.text("view");
        const auto known = std::ranges::find(names, name);
        branches.push_back({.steps = reader.whole("steps"),
                            .done = reader.flag("done"),
                            .logged = reader.whole("logged")});
        if (known == names.end() || !reader.missing().empty()) {
            return badJob("a branch has a view, steps, and what is logged of it");
        }
        branches.back().view = static_cast<LabView>(known - names.begin());
    }
    return Done{};
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
    const Result<LabPlan> plan = labFromJson(json.at("lab"), "lab");
    if (!plan) {
        return plan.error();
    }
    JobReader reader(json);
    RunJob job{.plan = *plan,
               .key = {.arm = reader.text("arm"),
                       .seed = static_cast<int>(reader.whole("seed")),
                       .rate = reader.real("rate"),
                       .tuning = reader.flag("tuning")},
               .number = static_cast<std::size_t>(reader.whole("number")),
               .logged = reader.whole("logged"),
               .state = reader.text("state"),
               .model = reader.text("model"),
               .saveEvery = reader.real("save_every"),
               .paused = json.contains("paused") && reader.flag("paused")};
    if (json.at(kJobKey) == kJobVersion) {
        job.timedSteps = static_cast<int>(reader.whole("timed_steps"));
        if (const Status branches = readBranches(json, job.branches); !branches) {
            return branches.error();
        }
    }
    if (!reader.missing().empty()) {
        return badJob("\"" + reader.missing() + "\" is missing, or of another kind");
    }
    if (plan->arm(job.key.arm) == nullptr) {
        return badJob("the lab has no arm " + excerpt(job.key.arm));
    }
    return job;
}

} // namespace flopsmith
