// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

QT_BEGIN_NAMESPACE
class QFont;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// How much larger the widget's type is than the usual one of 13 pixels; never below 1.
double typeScale(const QWidget& widget);

/// A height or width that suits the usual type, for the type of the widget.
int scaledToType(int pixels, const QWidget& widget);

/// Sets the type of a widget and of all below it, each with its own weight: under an application's
/// style sheet Qt does not propagate fonts. Widgets whose property "ownType" is true are left out.
void setTypeBelow(QWidget& root, const QFont& type);

} // namespace flopsmith::ui
