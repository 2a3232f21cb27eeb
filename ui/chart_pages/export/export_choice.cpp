// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/export/export_choice.h"

#include <QSettings>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kPixelsPerMillimetre = 96.0 / 25.4;
constexpr double kMinShape = 0.4; ///< height over width
constexpr double kMaxShape = 1.2;
constexpr double kWidestFromStore = 16'000.0;

constexpr std::array<WidthPreset, kWidthPresets> kPresets{
    {{"screen", QT_TRANSLATE_NOOP("ChartExportDialog", "Screen, 720 px"), 720.0, false},
     {"column", QT_TRANSLATE_NOOP("ChartExportDialog", "One column, 85 mm"), 85.0, true, 7.0, 0.75},
     {"page", QT_TRANSLATE_NOOP("ChartExportDialog", "Two columns, 174 mm"), 174.0, true, 8.0, 0.5},
     {"slide",
      QT_TRANSLATE_NOOP("ChartExportDialog", "Slide, 1280 \xC3\x97 720 px"),
      1280.0,
      false,
      18.0,
      9.0 / 16.0},
     {"own",
      QT_TRANSLATE_NOOP("ChartExportDialog", "Own width"),
      0.0,
      false,
      kUsualTypePoints,
      0.6}}};

QString key(const char* name)
{
    return QStringLiteral("chartExport/") + QLatin1String(name);
}

// What a file of settings holds may be anything.
double within(double value, double least, double most, double otherwise)
{
    return value >= least && value <= most ? value : otherwise;
}

} // namespace

const std::array<WidthPreset, kWidthPresets>& widthPresets()
{
    return kPresets;
}

void ExportChoice::choosePreset(std::size_t index)
{
    preset = std::min(index, kWidthPresets - 1);
    const WidthPreset& chosen = kPresets[preset];
    if (chosen.width > 0.0) {
        width = chosen.width;
        isInMillimetres = chosen.isInMillimetres;
        typePoints = chosen.typePoints;
    }
}

ExportOptions ExportChoice::options(double shape, int minHeight) const
{
    const double own = kPresets[std::min(preset, kWidthPresets - 1)].shape;
    const double pixels = isInMillimetres ? width * kPixelsPerMillimetre : width;
    const double ratio = own > 0.0 ? own : std::clamp(shape, kMinShape, kMaxShape);
    const int least = static_cast<int>(std::lround(minHeight * typePoints / kUsualTypePoints));
    const int wide = static_cast<int>(std::lround(pixels));
    return {.size = {wide, std::max(static_cast<int>(wide * ratio), least)},
            .typePoints = typePoints,
            .hasTitle = hasTitle,
            .hasFooter = hasFooter,
            .isSizeOfTex = preset != 0 || typePoints != kUsualTypePoints,
            .style = {.theme = isDark ? darkTheme() : lightTheme()},
            .svgText = areOutlines && format() == ExportFormat::svg ? SvgText::asOutlines
                                                                    : SvgText::asText};
}

ExportFormat ExportChoice::format() const
{
    const Result<ExportFormat> known = exportFormat(QStringLiteral("figure.") + suffix);
    return known ? *known : ExportFormat::svg;
}

ExportChoice storedExportChoice()
{
    const QSettings settings;
    ExportChoice choice;
    const QString preset = settings.value(key("preset")).toString();
    for (std::size_t i = 0; i < kWidthPresets; ++i) {
        choice.preset = preset == QLatin1String(kPresets[i].id.data()) ? i : choice.preset;
    }
    choice.width = within(
        settings.value(key("width"), choice.width).toDouble(), 1.0, kWidestFromStore, choice.width);
    choice.isInMillimetres = settings.value(key("millimetres"), false).toBool();
    choice.typePoints = within(settings.value(key("type"), choice.typePoints).toDouble(),
                               kMinTypePoints,
                               kMaxTypePoints,
                               choice.typePoints);
    choice.hasTitle = settings.value(key("title"), true).toBool();
    choice.hasFooter = settings.value(key("footer"), true).toBool();
    const QString suffix = settings.value(key("format"), choice.suffix).toString();
    choice.suffix = exportFormat(QStringLiteral("figure.") + suffix) ? suffix : choice.suffix;
    choice.isDark = settings.value(key("dark"), false).toBool();
    choice.areOutlines = settings.value(key("outlines"), false).toBool();
    choice.folder = settings.value(key("folder")).toString();
    return choice;
}

void storeExportChoice(const ExportChoice& choice)
{
    QSettings settings;
    settings.setValue(key("preset"), QLatin1String(kPresets[choice.preset].id.data()));
    settings.setValue(key("width"), choice.width);
    settings.setValue(key("millimetres"), choice.isInMillimetres);
    settings.setValue(key("type"), choice.typePoints);
    settings.setValue(key("title"), choice.hasTitle);
    settings.setValue(key("footer"), choice.hasFooter);
    settings.setValue(key("format"), choice.suffix);
    settings.setValue(key("dark"), choice.isDark);
    settings.setValue(key("outlines"), choice.areOutlines);
    settings.setValue(key("folder"), choice.folder);
}

} // namespace flopsmith::ui
