// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/json/json.h"
#include "core/protocol/process/worker_process.h"

#include <string>

namespace flopsmith::bench {

/// A script in a Python of its own that answers requests, one JSON object per line. What is too large
/// for a line travels through files in its folder.
class PythonWorker
{
public:
    /// `python` is a path or a name. An Error without a folder or a Python; a script that dies shows
    /// in ask().
    static Result<PythonWorker> start(const std::string& python, const std::string& script);

    const std::string& folder() const { return m_folder.path(); }

    /// Waits up to five minutes. An answer with "error" is an Error.
    Result<Json> ask(const Json& request);

private:
    PythonWorker(TemporaryFolder folder, WorkerProcess worker, std::string name);

    TemporaryFolder m_folder; ///< goes after the program is killed
    WorkerProcess m_worker;
    std::string m_name; ///< of the script
};

} // namespace flopsmith::bench
