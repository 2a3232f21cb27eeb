// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace flopsmith::ui {

/// "English" of "en", "Deutsch" of "de": a language in itself and of no country; the code if it is
/// unknown.
QString languageName(const std::string& code);

} // namespace flopsmith::ui
