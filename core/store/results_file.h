// SPDX-License-Identifier: MIT
#pragma once

#include "core/store/measurement_store.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Stored results as one file that another store imports.
struct ResultsFile
{
    std::string name{}; ///< of the computer or person they come from; an origin
    std::vector<MachineResults> machines{};
};

/// Without what tells one run of the system from another: host_id and load.
/// {"flopsmith_results": 1, "program": …, "name": …, "machines": […]}; README.md of core/protocol
/// has an example. Questions and answers stand as on the wire, without protocol, type and id.
nlohmann::ordered_json resultsJson(const ResultsFile& file, const std::string& program);

/// The reverse. Reading is total: any bytes give a file, or one sentence that says where it went
/// wrong; `source` names the text in it.
Result<ResultsFile> resultsOfText(std::string_view text, const std::string& source);

/// A name that may stand for where results come from: up to 60 printable characters. `place` names
/// it in the error.
Status checkedOrigin(std::string_view name, const std::string& place);

} // namespace flopsmith
