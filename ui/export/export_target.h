// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/project/project_file.h"

#include <QString>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::ui {

struct FolderOptions
{
    std::uint64_t seed = 7; ///< of the weights
    bool weights = true;
    bool gradients = false; ///< to compare with, also of a large model

    bool operator==(const FolderOptions&) const = default;
};

/// The content of a folder.
struct ExportedFolder
{
    std::int64_t parameters = 0;
    std::int64_t bytes = 0; ///< of all tensors
    bool expected = false; ///< outputs to compare with
    bool gradients = false; ///< to compare with
    std::vector<std::string> notes{}; ///< sentences on how the target treats the design

    bool operator==(const ExportedFolder&) const = default;
};

/// A target of an export: a program that is shown, in a folder that is written.
struct ExportTarget
{
    QString name; ///< of its action and its dialog: "torch"
    QString title; ///< "PyTorch"
    QString tip; ///< one sentence about the folder
    Result<std::string> (*source)(const Scenario& scenario, const FolderOptions& options);
    Result<ExportedFolder> (*planned)(const Scenario& scenario, const FolderOptions& options);
    /// Makes the folder; nothing after a stop request.
    Result<ExportedFolder> (*write)(const std::string& folder,
                                    const Project& project,
                                    const FolderOptions& options,
                                    const std::stop_token& stop);
    QString check; ///< the script in the folder that compares outputs: "check.py"; empty: no check
    double gradientsFrom = 0; ///< with more parameters, gradients are computed only on request
};

/// All of them, in the order of the menu. A new target is a new row.
const std::vector<ExportTarget>& exportTargets();

} // namespace flopsmith::ui
