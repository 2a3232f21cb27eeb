// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/command/chart_options.h"

#include "app/options/compared_models.h"

#include <algorithm>

namespace flopsmith::app {
namespace {

// A claims chart has no model; all others need one.
Status modelFits(const ChartOptions& options)
{
    if (options.device.areSeveral() && options.kind != "runtime") {
        return Error{"chart --kind " + options.kind
                     + " shows one --device; --kind runtime shows several side by side"};
    }
    if (options.needs().model != options.model.isNamed()) {
        return Error{options.needs().model
                         ? "chart --kind " + options.kind
                             + " needs a MODEL: a preset (see flopsmith presets), a .flopsmith "
                               "file, or a Hugging Face config.json"
                         : "chart --kind claims has no MODEL; it takes --d, --d-ff and --tokens"};
    }
    return Done{};
}

// A roofline needs a known device, a measuring device, or both; measured points are drawn under the
// roofs measured with them.
Status hardwareFits(const ChartOptions& options)
{
    if (options.needs().hardware && !options.hardware.isNamed() && !options.device.isNamed()) {
        return Error{"chart --kind roofline needs --hardware (a device of flopsmith hardware) or "
                     "--device (one that measures its peaks and the parts now), or both"};
    }
    return Done{};
}

// The steps of a waterfall go from one lens with its own pairs to another.
Status pairsFit(const ChartOptions& options)
{
    if (options.model.namesPairs() && options.needs().twoLenses) {
        return Error{"chart --kind " + options.kind
                     + " takes no --pairs: each of its lenses has its own"};
    }
    return Done{};
}

// Only curves are drawn both measured and computed.
Status curvesFit(const ChartOptions& options)
{
    if (options.curves.isAsked() && !options.needs().axis) {
        return Error{"--measured is for chart --kind scaling"};
    }
    return Done{};
}

// Curves have one axis and a heat map has two; a front combines as many as there are.
Status axesFit(const ChartOptions& options)
{
    const std::size_t count = options.axes.size();
    if (!options.needs().combinations) {
        return count <= 1 ? Status(Done{})
                          : Error{"chart --kind " + options.kind + " has one --axis at most"};
    }
    if (options.kind == "heat" && count != 0 && count != 2) {
        return Error{"chart --kind heat has two axes: give --axis twice, or not at all"};
    }
    return Done{};
}

// Every chart of a model accepts further ones, and a comparison needs them. Compared figures are
// counted, except for run times, which one device measures.
Status designsFit(const ChartOptions& options)
{
    if (std::count(options.others.begin(), options.others.end(), "") > 0) {
        return Error{"--with: a value must not be empty"};
    }
    if (options.others.empty() && !options.needs().designs) {
        return Done{};
    }
    if (!options.needs().model) {
        return Error{"chart --kind " + options.kind + " has no MODEL and takes no --with"};
    }
    if (options.device.areSeveral()) {
        return Error{"chart --kind " + options.kind
                     + " takes several --device or several models, not both"};
    }
    const bool isCounted = options.chartKind().drawsOthers && !options.needs().times;
    if (isCounted && options.device.isNamed()) {
        return Error{"chart --kind " + options.kind
                     + " of several models is counted and takes no --device"};
    }
    const Status fits = canCompare(options.models().size());
    return fits ? fits
                : Error{"chart --kind " + options.kind + ": " + fits.error().message
                        + "; name the others by --with"};
}

} // namespace

Status fits(const ChartOptions& options)
{
    for (const auto& check : {curvesFit, axesFit, pairsFit, modelFits, designsFit, hardwareFits}) {
        FLOPSMITH_RETURN_IF_ERROR(check(options));
    }
    return Done{};
}

} // namespace flopsmith::app
