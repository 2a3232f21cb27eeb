// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/measure_button.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>

#include <algorithm>

namespace flopsmith::ui {
namespace {

QString textOf(bool running)
{
    return running ? MeasureButton::tr("&Stop") : MeasureButton::tr("&Measure");
}

} // namespace

MeasureButton::MeasureButton(QWidget* parent)
    : QPushButton(textOf(false), parent)
{
    setProperty("primary", true);
    updateIcon();
}

void MeasureButton::showRunning(bool running)
{
    m_running = running;
    setText(textOf(running));
    updateIcon();
}

void MeasureButton::updateIcon()
{
    setIcon(themedIcon(m_running ? QStringLiteral("stop") : QStringLiteral("measure"),
                       systemTheme().onAccent));
}

QSize MeasureButton::sizeHint() const
{
    const auto widthOf = [this](bool running) {
        return fontMetrics().size(Qt::TextShowMnemonic, textOf(running)).width();
    };
    QSize size = QPushButton::sizeHint();
    size.rwidth() += std::max(0, widthOf(!m_running) - widthOf(m_running));
    return size;
}

} // namespace flopsmith::ui

#include "moc_measure_button.cpp"
