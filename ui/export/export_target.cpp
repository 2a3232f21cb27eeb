// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_target.h"

#include "core/export/hugging_face/design_folder.h"
#include "core/export/torch/design_folder.h"
#include "core/export/torch/model_source.h"

#include <QCoreApplication>

namespace flopsmith::ui {
namespace {

torch::DesignFolderOptions torchOptions(const FolderOptions& options)
{
    return {.source = {.seed = options.seed},
            .weights = options.weights,
            .gradients = options.gradients};
}

Result<ExportedFolder> exported(const Result<torch::DesignFolder>& folder)
{
    if (!folder) {
        return folder.error();
    }
    return ExportedFolder{.parameters = folder->parameters,
                          .bytes = folder->bytes,
                          .expected = folder->expected,
                          .gradients = folder->gradients};
}

Result<std::string> programOfTorch(const Scenario& scenario, const FolderOptions& /*options*/)
{
    return torch::modelSource(scenario);
}

Result<ExportedFolder> plannedTorch(const Scenario& scenario, const FolderOptions& options)
{
    return exported(torch::plannedDesignFolder(scenario, torchOptions(options)));
}

Result<ExportedFolder> writtenTorch(const std::string& folder,
                                    const Project& project,
                                    const FolderOptions& options,
                                    const std::stop_token& stop)
{
    torch::DesignFolderOptions files = torchOptions(options);
    files.stop = stop;
    return exported(torch::writeDesignFolder(folder, project, files));
}

ExportTarget torchTarget()
{
    return {.name = QStringLiteral("torch"),
            .title = QStringLiteral("PyTorch"),
            .tip = QCoreApplication::translate(
                "ExportTarget",
                "The design as a program that needs only PyTorch, with random weights and outputs "
                "to compare with"),
            .source = &programOfTorch,
            .planned = &plannedTorch,
            .write = &writtenTorch,
            .check = QStringLiteral("check.py"),
            .gradientsFrom = static_cast<double>(torch::kMaxGradients)};
}

HuggingFaceOptions hubOptions(const FolderOptions& options)
{
    return {.seed = options.seed, .weights = options.weights};
}

// The family that has the design, or how the nearest one differs.
std::vector<std::string> notesOn(const NativeFit& fit)
{
    if (fit.fits()) {
        return {"The family is " + fit.title + ": no code but the library's is needed."};
    }
    std::vector<std::string> notes{
        "No family of the library has this design, so its code is in the folder. The nearest is "
        + fit.title + ", and what differs is:"};
    notes.insert(notes.end(), fit.differences.begin(), fit.differences.end());
    return notes;
}

Result<ExportedFolder> exported(const Result<HuggingFaceFolder>& folder)
{
    if (!folder) {
        return folder.error();
    }
    return ExportedFolder{
        .parameters = folder->parameters, .bytes = folder->bytes, .notes = notesOn(folder->fit)};
}

Result<std::string> programOfHub(const Scenario& scenario, const FolderOptions& options)
{
    return huggingFaceProgram(scenario, hubOptions(options));
}

Result<ExportedFolder> plannedHub(const Scenario& scenario, const FolderOptions& options)
{
    return exported(plannedHuggingFaceFolder(scenario, hubOptions(options)));
}

Result<ExportedFolder> writtenHub(const std::string& folder,
                                  const Project& project,
                                  const FolderOptions& options,
                                  const std::stop_token& stop)
{
    HuggingFaceOptions files = hubOptions(options);
    files.stop = stop;
    return exported(writeHuggingFaceFolder(folder, project, files));
}

ExportTarget hubTarget()
{
    return {.name = QStringLiteral("hf"),
            .title = QStringLiteral("Hugging Face"),
            .tip = QCoreApplication::translate(
                "ExportTarget",
                "The design as a folder of the Hugging Face library, of a family that has it or "
                "with code of its own, with random weights"),
            .source = &programOfHub,
            .planned = &plannedHub,
            .write = &writtenHub};
}

} // namespace

const std::vector<ExportTarget>& exportTargets()
{
    static const std::vector<ExportTarget> kTargets{torchTarget(), hubTarget()};
    return kTargets;
}

} // namespace flopsmith::ui
