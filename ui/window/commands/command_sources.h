// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list_model.h"

#include <vector>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class TopBar;

/// Every action of the window's menus, of its choices (models, lenses, phases, devices) and of its
/// shortcuts, as it is now. One that is disabled says why: its property "disabledReason", or a
/// general sentence. Its property "names" has further names; actions of the stack, and those with the
/// property "fits", are about what is selected.
std::vector<TypedEntry> windowCommands(QWidget& window, TopBar& bar);

/// "Set d_model to 1024" for "d_model 1024": of each parameter of the model, the workload and the
/// selected run that the other words name. The document corrects the value as if it was typed.
std::vector<TypedEntry> parameterCommands(Document& document, const QString& query);

/// The same parameters without a value: they cannot be run, but say what can be typed.
std::vector<TypedEntry> parameterHints(const Document& document);

/// "What is d_ff?" of the same parameters, and of every variant of the palette: opens its
/// explanation over the window.
std::vector<TypedEntry> explanationCommands(const Document& document, QWidget& window);

/// Opens the design of a share code that was typed or pasted; says why it cannot be.
std::vector<TypedEntry> shareCodeCommands(const QString& query, QWidget& window);

} // namespace flopsmith::ui
