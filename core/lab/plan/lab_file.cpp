// SPDX-License-Identifier: MIT
#include "core/lab/plan/lab_file.h"

#include "core/json/json_fields.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

#include <variant>

// Writing and comparing labs.
namespace flopsmith {
namespace {

Json taskJson(const TaskSpec& task)
{
    Json json{{"name", std::string(info(task).id)}};
    std::visit(
        [&](const auto& spec) {
            using Spec = std::decay_t<decltype(spec)>;
            if constexpr (std::is_same_v<Spec, TextTask> || std::is_same_v<Spec, TeacherTask>) {
                if (std::is_same_v<Spec, TextTask> || !spec.file.empty()) {
                    json["file"] = spec.file;
                    json["sha256"] = spec.sha256;
                }
            }
            json::writeFields(json, spec, Spec::fields());
        },
        task);
    return json;
}

// The hash of a task's file; null of tasks without one.
std::string* hashIn(LabPlan& plan)
{
    if (auto* text = std::get_if<TextTask>(&plan.task)) {
        return &text->sha256;
    }
    auto* teacher = std::get_if<TeacherTask>(&plan.task);
    return teacher == nullptr ? nullptr : &teacher->sha256;
}

std::string textWithoutHash(LabPlan plan)
{
    if (std::string* hash = hashIn(plan)) {
        hash->clear();
    }
    return jsonText(labJson(plan));
}

} // namespace

Json labJson(const LabPlan& plan)
{
    Json arms = Json::array();
    for (const Arm& arm : plan.chosenArms()) {
        arms.push_back(Json{{"name", arm.name}, {"ffn", toJson(arm.ffn)}});
    }
    Json budget = Json::object();
    if (plan.budget.kind == BudgetKind::steps) {
        budget["steps"] = plan.budget.steps;
    } else {
        budget["flops"] = digits(plan.budget.flops);
    }
    Json json{{"task", taskJson(plan.task)},
              {"sizes",
               {{"d_model", plan.sizes.dModel},
                {"layers", plan.sizes.layers},
                {"heads", plan.sizes.heads}}},
              {"arms", arms},
              {"seeds", plan.seeds},
              {"budget", budget},
              {"base_rate", plan.baseRate},
              {"tune", plan.tunes},
              {"evaluate_every", plan.evaluateEvery},
              {"precision", std::string(enumName(plan.precision))}};
    for (const LabView view : plan.branches) {
        json["views"].push_back(std::string(enumName(view)));
    }
    if (plan.sizes.mixer != LabMixer::attention) {
        json["sizes"]["mixer"] = std::string(enumName(plan.sizes.mixer));
    }
    if (!plan.rivals) {
        json["rivals"] = false;
    }
    return json;
}

PlanDifference differenceOf(const LabPlan& plan, const LabPlan& other)
{
    if (jsonText(labJson(plan)) == jsonText(labJson(other))) {
        return PlanDifference::none;
    }
    return textWithoutHash(plan) == textWithoutHash(other) ? PlanDifference::data
                                                           : PlanDifference::plan;
}

std::string labFileText(const LabPlan& plan)
{
    Json file{{kLabVersionKey, kLabFormat}};
    file.update(labJson(plan));
    return jsonText(file, 2) + "\n";
}

} // namespace flopsmith
