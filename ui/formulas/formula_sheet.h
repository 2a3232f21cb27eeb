// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formula/formula.h"
#include "ui/theme/theme.h"

#include <QString>
#include <QUrl>

#include <vector>

namespace flopsmith::ui {

/// A formula typeset, with numbers substituted, and with the meaning of each symbol. Rich text in
/// the theme's colours, for a text browser. The symbols named in `movable` are marked.
QString formulaSheet(const Formula& formula, const Theme& theme, const QStringList& movable = {});

/// A part of a sum in the sheet, which a click selects.
struct SheetTerm
{
    QString name{};
    QString path{}; ///< in the cost tree
    QString figure{}; ///< "80.9 G"; empty if the lens has no figure for parts
    bool selected = false;
};

/// "ffn = c_fc 9.66 G + activation 25.2 M + …": each term is a link to its path, and the selected
/// one is highlighted. Rich text; empty without terms or with very many.
QString sumLine(const QString& whole, const std::vector<SheetTerm>& terms, const Theme& theme);

/// The path that a link of sumLine() leads to.
QString pathOfLink(const QUrl& link);

/// A formula inside a derivation: typeset, with numbers and value only.
QString formulaLines(const Formula& formula, const QString& unit, const Theme& theme);

} // namespace flopsmith::ui
