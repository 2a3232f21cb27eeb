// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/export.h"
#include "ui/charts/chart_kinds.h"

#include <QApplication>
#include <QTemporaryDir>

#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// A QApplication that needs no display and draws with the style of the window.
class DrawingApplication
{
public:
    DrawingApplication();

private:
    int m_argumentCount = 1;
    QTemporaryDir m_runtimeFolder;
    std::string m_name = "flopsmith";
    std::vector<char*> m_arguments;
    std::optional<QApplication> m_application;
};

/// "720x440", from 64 to 16384 pixels each.
Result<QSize> parsedSize(const std::string& text);

} // namespace flopsmith::app
