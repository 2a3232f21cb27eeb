// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/json/spec_json.h"
#include "core/lab/plan/lab_file.h"

#include <limits>
#include <set>
#include <variant>

// Reading labs.
namespace flopsmith {
namespace {

constexpr std::size_t kMaxArms = 100;
constexpr std::size_t kMaxBudgetDigits = 30; ///< of a number of FLOPs

// Which numbers are legal is judged with the whole plan.
int intOr(ObjectReader& read, std::string_view key, std::int64_t otherwise)
{
    using Limits = std::numeric_limits<int>;
    return static_cast<int>(read.wholeOr(key, Limits::min(), Limits::max(), otherwise));
}

template <class Task>
void readTaskFields(ObjectReader& read, Task& task)
{
    std::set<std::string> others{"name"};
    if constexpr (std::is_same_v<Task, TextTask> || std::is_same_v<Task, TeacherTask>) {
        task.file = read.textOr("file", {});
        task.sha256 = read.textOr("sha256", {});
        others.insert({"file", "sha256"});
    }
    read.note(json::readFields(task, Task::fields(), read.value(), read.place(), others));
}

TaskSpec taskOf(ObjectReader& lab)
{
    if (!lab.has("task")) {
        lab.fail("a task is missing; name one, as in \"task\": {\"name\": \"facts\"}");
        return {};
    }
    ObjectReader read = lab.object("task");
    const Result<TaskSpec> named = taskNamed(read.textOr("name", {}));
    if (!named) {
        read.failAt("name", named.error().message);
    }
    if (!read.ok()) {
        return {};
    }
    TaskSpec task = *named;
    std::visit([&read](auto& spec) { readTaskFields(read, spec); }, task);
    return task;
}

void readSizes(ObjectReader& lab, LabSizes& sizes)
{
    const Json* found = lab.find("sizes");
    if (found == nullptr) {
        return;
    }
    if (found->is_string()) {
        const Result<LabSizes> named = sizesNamed(found->text());
        if (named) {
            sizes = *named;
        } else {
            lab.failAt("sizes", named.error().message);
        }
        return;
    }
    ObjectReader read = lab.object("sizes");
    read.refuseOtherKeys({"d_model", "layers", "heads", "mixer"});
    sizes.mixer = read.oneOfOr("mixer", sizes.mixer);
    sizes.dModel = intOr(read, "d_model", sizes.dModel);
    sizes.layers = intOr(read, "layers", sizes.layers);
    sizes.heads = intOr(read, "heads", sizes.heads);
    if (const Status legal = validatedSizes(sizes); !legal) {
        read.note(Error{read.place() + "." + legal.error().message});
    }
}

// A name that armNamed() knows, or {"name": …, "ffn": {"kind": …}}.
Arm armOf(ObjectReader& lab, const Json& json, int dModel, const std::string& place)
{
    if (json.is_string()) {
        const Result<FfnSpec> ffn = armNamed(json.text(), dModel);
        if (!ffn) {
            lab.note(json::errorAt(place, ffn.error().message));
        }
        return ffn ? Arm{.name = json.text(), .ffn = *ffn} : Arm{};
    }
    ObjectReader read = lab.part(json, place);
    read.refuseOtherKeys({"name", "ffn"});
    const Json* name = read.find("name");
    const Json* ffn = read.find("ffn");
    if (name == nullptr || !name->is_string() || ffn == nullptr) {
        read.fail("an arm is a known name, or has a name and an ffn");
        return {};
    }
    if (name->text().empty() || name->text().size() > 60 || !isPrintable(name->text())) {
        read.failAt("name", "an arm needs a name of 1 \xE2\x80\xA6 60 bytes on one line");
    }
    return {.name = name->text(), .ffn = read.valueOr(ffnFromJson(*ffn, read.placeOf("ffn")))};
}

std::vector<Arm> armsOf(ObjectReader& lab, int dModel)
{
    std::vector<Arm> arms;
    if (!lab.has("arms")) {
        lab.fail("arms are missing; list some, as in \"arms\": [\"spectral\"]");
    }
    for (const Json& each : lab.list("arms", 0, kMaxArms)) {
        const std::string place = json::elementPlace(lab.placeOf("arms"), arms.size());
        arms.push_back(armOf(lab, each, dModel, place));
    }
    return arms;
}

void readBudget(ObjectReader& lab, LabBudget& budget)
{
    if (!lab.has("budget")) {
        return;
    }
    ObjectReader read = lab.object("budget");
    read.refuseOtherKeys({"steps", "flops"});
    if (read.has("steps") == read.has("flops")) {
        read.fail("name either steps or flops");
    }
    if (read.has("flops")) {
        budget.kind = BudgetKind::flops;
        budget.flops = read.count("flops", kMaxBudgetDigits);
    } else {
        budget.steps = intOr(read, "steps", budget.steps);
    }
}

std::vector<LabView> viewsOf(ObjectReader& lab)
{
    std::vector<LabView> views;
    if (lab.has("views")) {
        for (const Json& each : lab.list("views")) {
            const std::string place = json::elementPlace(lab.placeOf("views"), views.size());
            views.push_back(
                lab.valueOr(json::namedValue<LabView>(each, place, enumNames<LabView>())));
        }
    }
    return views;
}

} // namespace

Result<LabPlan> labFromJson(const Json& json, const std::string& place)
{
    ObjectReader read(json, place);
    read.refuseOtherKeys({kLabVersionKey,
                          "task",
                          "sizes",
                          "arms",
                          "seeds",
                          "budget",
                          "base_rate",
                          "tune",
                          "evaluate_every",
                          "precision",
                          "views",
                          "rivals"});
    LabPlan plan;
    plan.task = taskOf(read);
    readSizes(read, plan.sizes);
    const std::vector<Arm> chosen = armsOf(read, plan.sizes.dModel);
    plan.seeds = intOr(read, "seeds", plan.seeds);
    readBudget(read, plan.budget);
    plan.baseRate = read.amountOr("base_rate", plan.baseRate);
    plan.tunes = read.flagOr("tune", plan.tunes);
    plan.rivals = read.flagOr("rivals", plan.rivals);
    plan.evaluateEvery = intOr(read, "evaluate_every", plan.evaluateEvery);
    plan.precision = read.oneOfOr("precision", plan.precision);
    plan.branches = viewsOf(read);
    if (!read.ok()) {
        return read.status().error();
    }
    const Result<LabPlan> whole = plannedLab(plan, chosen);
    return whole ? whole : json::errorAt(place, whole.error().message);
}

Result<LabPlan> readLab(std::string_view text, const std::string& source)
{
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    if (!json.is_object() || !json.contains(kLabVersionKey)
        || !json.at(kLabVersionKey).is_number_integer()) {
        return Error{source + ": this is no lab; a lab begins with \"" + kLabVersionKey + "\": 1"};
    }
    const auto version = json.at(kLabVersionKey).get<std::int64_t>();
    if (version < 1 || version > kLabFormat) {
        return Error{source + ": this lab has version " + std::to_string(version)
                     + "; this program reads up to " + std::to_string(kLabFormat)};
    }
    return labFromJson(json, source + ": ");
}

} // namespace flopsmith
