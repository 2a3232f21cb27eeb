// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"
#include "core/store/measurement_store.h"

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

/// Without host_id and load, which identify one run of the system.
/// {"flopsmith_results": 1, "program": …, "name": …, "machines": […]}; README.md of core/protocol
/// has an example. Questions and answers have their wire format, without protocol, type and id.
Json resultsJson(const ResultsFile& file, const std::string& program);

/// The reverse. Any bytes give a file or an Error that says where the text is wrong; `source` names
/// the text.
Result<ResultsFile> resultsOfText(std::string_view text, const std::string& source);

/// Whether the name is a valid origin: up to 60 printable characters. `place` names it in the
/// error.
Status checkedOrigin(std::string_view name, const std::string& place);

} // namespace flopsmith
