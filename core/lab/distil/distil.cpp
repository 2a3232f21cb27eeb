// SPDX-License-Identifier: MIT
#include "core/lab/distil/distil.h"

#include "core/base/printable.h"
#include "core/ffn/gated.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/task/closed_forms.h"
#include "core/lab/task/saved_model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

constexpr double kLargestRatio = 1e6;
constexpr std::int64_t kLargestSize = 1'048'576;

// What makes an FFN cheaper the smaller it is: the first of them that a variant has.
constexpr std::array<std::string_view, 4> kSizeFields{"rank",
                                                      "k_freq",
                                                      "projection_features",
                                                      "d_ff"};

const Field<FfnSpec>* sizeField(const std::vector<Field<FfnSpec>>& fields)
{
    for (const std::string_view key : kSizeFields) {
        for (const Field<FfnSpec>& field : fields) {
            if (field.text.key == key) {
                return &field;
            }
        }
    }
    return nullptr;
}

FfnSpec withSize(FfnSpec ffn, const Field<FfnSpec>& field, int dModel, std::int64_t size)
{
    const LegalValues legal = field.legal(ffn, FieldContext{dModel});
    const FieldValue wanted(size);
    field.assign(ffn, legal.contains(wanted) ? wanted : legal.nearest(wanted));
    return ffn;
}

std::string ratioText(double ratio)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), ratio);
    return {buffer.data(), end.ptr};
}

FfnSpec teacherSpec(const TeacherTask& teacher, int dModel)
{
    const int width = teacher.widthFor(dModel);
    return teacher.teacher == TeacherKind::gated
        ? FfnSpec(GatedFfn{.dFf = width, .activation = teacher.activation})
        : FfnSpec(DenseFfn{.dFf = width, .activation = teacher.activation});
}

// Of a random dense teacher alone.
std::optional<double> predictedOf(const TeacherTask& teacher, const FfnSpec& ffn, int dModel)
{
    return teacher.teacher == TeacherKind::dense
        ? predictedShare(ffn, dModel, teacher.widthFor(dModel), teacher.activation)
        : std::nullopt;
}

} // namespace

std::optional<FfnSpec> fittedTo(FfnSpec ffn, int dModel, double flopsPerToken)
{
    const auto fits = [&](const FfnSpec& spec) {
        return ffnFlopsPerToken(spec, dModel) <= flopsPerToken;
    };
    const std::vector<Field<FfnSpec>> all = fields(ffn);
    const Field<FfnSpec>* size = sizeField(all);
    if (size == nullptr) {
        return fits(ffn) ? std::optional(ffn) : std::nullopt;
    }
    if (!fits(withSize(ffn, *size, dModel, 1))) {
        return std::nullopt;
    }
    std::int64_t small = 1;
    std::int64_t large = kLargestSize + 1;
    while (large - small > 1) {
        const std::int64_t middle = small + (large - small) / 2;
        (fits(withSize(ffn, *size, dModel, middle)) ? small : large) = middle;
    }
    return withSize(ffn, *size, dModel, small);
}

Result<double> teacherFlops(const TeacherTask& teacher, int dModel)
{
    if (teacher.teacher != TeacherKind::trained) {
        return ffnFlopsPerToken(teacherSpec(teacher, dModel), dModel);
    }
    FLOPSMITH_TRY(const SavedModel saved, savedModel(teacher.file));
    return ffnFlopsPerToken(saved.ffn, saved.plan.sizes.dModel);
}

Result<LabPlan> distilPlan(const DistilRequest& request)
{
    const auto* teacher = std::get_if<TeacherTask>(&request.plan.task);
    if (teacher == nullptr) {
        return Error{"students need a teacher: the task must be teacher"};
    }
    const int dModel = request.plan.sizes.dModel;
    FLOPSMITH_TRY(const double flops, teacherFlops(*teacher, dModel));
    std::vector<Arm> students;
    for (const std::string& family : request.families) {
        FLOPSMITH_TRY(const FfnSpec ffn, armNamed(family, dModel));
        std::vector<FfnSpec> seen;
        for (const double ratio : request.ratios) {
            if (!(ratio > 0.0) || ratio > kLargestRatio) {
                return Error{"ratios must be above 0, at most 1e6; found " + ratioText(ratio)};
            }
            const std::optional<FfnSpec> student = fittedTo(ffn, dModel, flops / ratio);
            if (student && std::ranges::find(seen, *student) == seen.end()) {
                students.push_back({.name = family + "/" + ratioText(ratio), .ffn = *student});
                seen.push_back(*student);
            }
        }
    }
    LabPlan plan = request.plan;
    plan.rivals = false;
    return plannedLab(std::move(plan), students);
}

Result<std::vector<StudentResult>> studentResults(const LabLog& log)
{
    const auto* teacher = std::get_if<TeacherTask>(&log.plan.task);
    if (teacher == nullptr) {
        return Error{"this log is not of a distillation: its task must be teacher"};
    }
    const int dModel = log.plan.sizes.dModel;
    FLOPSMITH_TRY(const double flops, teacherFlops(*teacher, dModel));
    std::vector<StudentResult> students;
    for (const ArmResult& result : labResults(log, log.plan.ownView()).arms) {
        const std::size_t slash = result.arm.name.find('/');
        const bool isStudent = slash != std::string::npos;
        students.push_back({.family = result.arm.name.substr(0, slash),
                            .ratio = isStudent ? result.arm.name.substr(slash + 1) : std::string(),
                            .cheaper = flops / ffnFlopsPerToken(result.arm.ffn, dModel),
                            .parameters = result.parameters,
                            .score = result.score(),
                            .predicted = predictedOf(*teacher, result.arm.ffn, dModel),
                            .diverged = result.gaveUp ? log.plan.seeds : result.diverged});
    }
    std::ranges::stable_sort(students, {}, &StudentResult::cheaper);
    return students;
}

} // namespace flopsmith
