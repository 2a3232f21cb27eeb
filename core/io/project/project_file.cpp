// SPDX-License-Identifier: MIT
#include "core/io/project/project_file.h"

#include "core/base/printable.h"
#include "core/io/project/class_locks_json.h"
#include "core/io/project/notes_json.h"
#include "core/io/project/rules_json.h"
#include "core/io/project/version.h"
#include "core/json/json_text.h"
#include "core/json/json_values.h"
#include "core/json/spec_json.h"
#include "core/parameter/validation.h"

#include <algorithm>

namespace flopsmith {
namespace {

Status checkProjectFormat(const Json& json)
{
    const Json& format = json["flopsmith"];
    if (!format.is_number_integer() || format.get<std::int64_t>() < 1) {
        return Error{"flopsmith: expected the version of the format, 1 or 2"};
    }
    if (format.get<std::int64_t>() > kProjectFormat) {
        return Error{"the file has format " + jsonText(format) + ", this program reads up to "
                     + std::to_string(kProjectFormat) + "; open it with a newer Flopsmith"};
    }
    return Done{};
}

Status checkKeys(const Json& json, UnknownKeys& unknown)
{
    collectUnknown(unknown,
                   json,
                   {},
                   {"flopsmith",
                    "program",
                    "model",
                    "workload",
                    "rules",
                    "class_locks",
                    "unlocked",
                    "notes",
                    "lens",
                    "view"});
    if (json.contains("rules") && json["rules"].is_object()) {
        collectUnknown(unknown, json["rules"], "rules", {"ties", "locked"});
    }
    if (!json.contains("model")) {
        return Error{"model: missing"};
    }
    const Result<std::string> program = json::textOf(json.value("program", Json("")), "program");
    return program ? Status(Done{}) : program.error();
}

Status readLens(const Json& json, LensId& id)
{
    if (!json.contains("lens")) {
        return Done{};
    }
    const auto named =
        json["lens"].is_string() ? lensNamed(json["lens"].get<std::string>()) : std::nullopt;
    if (!named) {
        std::string known;
        for (const Lens& each : lenses()) {
            known += (known.empty() ? "" : ", ") + std::string(each.name);
        }
        return Error{"lens: " + excerpt(jsonText(json["lens"])) + " is unknown; known are "
                     + known};
    }
    id = *named;
    return Done{};
}

Status readScenario(const Json& json, Scenario& scenario, UnknownKeys& unknown)
{
    FLOPSMITH_TRY(const Model model, modelFromJson(json["model"], "model", &unknown));
    scenario.model = model;
    if (json.contains("workload")) {
        FLOPSMITH_TRY(const Workload workload,
                      workloadFromJson(json["workload"], "workload", &unknown));
        scenario.workload = workload;
    }
    return Done{};
}

// Legal as it is, or made so.
Status settled(Scenario& scenario, Illegal illegal, std::vector<std::string>* notes)
{
    const Status status = validated(scenario);
    if (status || illegal == Illegal::refuse) {
        return status;
    }
    FLOPSMITH_TRY(const std::vector<std::string> repaired, repairedWithNotes(scenario));
    if (notes != nullptr) {
        notes->insert(notes->end(), repaired.begin(), repaired.end());
    }
    return Done{};
}

Status standing(const std::vector<Note>& notes, const Model& model)
{
    const Status status = checked(notes, model);
    return status ? status : Error{"notes" + status.error().message};
}

// For the scenario after repair: a repaired number may break a tie.
Status readRules(const Json& json, Project& project, std::vector<std::string>* notes)
{
    if (!json.contains("rules")) {
        return Done{};
    }
    std::vector<std::string> reasons;
    FLOPSMITH_TRY(const ParameterRules rules,
                  rulesFromJson(json["rules"], "rules", project.scenario, reasons));
    project.rules = rules;
    if (notes != nullptr) {
        notes->insert(notes->end(), reasons.begin(), reasons.end());
    }
    return Done{};
}

Status readClassLocks(const Json& json, Project& project, UnknownKeys& unknown)
{
    if (json.contains("unlocked")) {
        FLOPSMITH_TRY(const bool unlocked, json::flagOf(json["unlocked"], "unlocked"));
        project.unlocked = unlocked;
    }
    if (!json.contains("class_locks")) {
        return Done{};
    }
    FLOPSMITH_TRY(std::vector<ClassLock> locks,
                  classLocksFromJson(json["class_locks"], "class_locks", unknown));
    project.classLocks = std::move(locks);
    return Done{};
}

Status readNotes(const Json& json, std::vector<Note>& notes, UnknownKeys& unknown)
{
    if (!json.contains("notes")) {
        return Done{};
    }
    FLOPSMITH_TRY(std::vector<Note> read, notesFromJson(json["notes"], "notes", unknown));
    notes = std::move(read);
    return Done{};
}

Status readView(const Json& json, std::string& view)
{
    if (!json.contains("view")) {
        return Done{};
    }
    view = json["view"].empty() ? std::string() : jsonText(json["view"]);
    return json::expectObject(json["view"], "view");
}

// The oldest version that has all that the project uses.
int formatOf(const Model& model)
{
    const bool mutes = std::any_of(model.runs.begin(), model.runs.end(), [](const BlockRun& run) {
        return run.block.hasMutedPart();
    });
    return mutes || !model.patterns.empty() ? 2 : 1;
}

} // namespace

std::string projectText(const Project& project)
{
    Json json;
    json["flopsmith"] = formatOf(project.scenario.model);
    json["program"] = std::string(programVersion());
    json["model"] = toJson(project.scenario.model);
    json["workload"] = toJson(project.scenario.workload);
    if (!project.rules.isEmpty()) {
        json["rules"] = toJson(project.rules, project.scenario);
    }
    if (!project.classLocks.empty()) {
        json["class_locks"] = toJson(project.classLocks);
    }
    if (project.unlocked) {
        json["unlocked"] = true;
    }
    if (!project.notes.empty()) {
        json["notes"] = toJson(project.notes);
    }
    json["lens"] = std::string(lens(project.lens).name);
    if (!project.view.empty()) {
        json["view"] = ownJson(project.view);
    }
    putBack(json, project.kept);
    return jsonText(json, 2) + "\n";
}

Result<Project> projectFromJson(const Json& json,
                                const std::string& source,
                                Illegal illegal,
                                std::vector<std::string>* notes)
{
    if (!json.is_object() || !json.contains("flopsmith")) {
        return Error{source + ": no Flopsmith file; it would begin with {\"flopsmith\": 1"};
    }
    Project project;
    UnknownKeys unknown;
    Status read = checkProjectFormat(json);
    if (read) {
        read = checkKeys(json, unknown);
    }
    if (read) {
        read = readLens(json, project.lens);
    }
    if (read) {
        read = readView(json, project.view);
    }
    if (read) {
        read = readScenario(json, project.scenario, unknown);
    }
    if (read) {
        read = readClassLocks(json, project, unknown);
    }
    if (read) {
        read = readNotes(json, project.notes, unknown);
    }
    if (read) {
        read = withinBounds(unknown);
    }
    project.kept = keptKeys(unknown);
    if (read && notes != nullptr) {
        *notes = keptKeyNotes(unknown);
    }
    if (read) {
        read = settled(project.scenario, illegal, notes);
    }
    if (read) {
        read = standing(project.notes, project.scenario.model);
    }
    if (read) {
        read = readRules(json, project, notes);
    }
    return read ? Result<Project>(project) : Error{source + ": " + read.error().message};
}

Result<Project> parsedProject(std::string_view text, const std::string& source)
{
    const Result<Json> json = parsedJson(text, source);
    return json ? projectFromJson(*json, source) : json.error();
}

} // namespace flopsmith
