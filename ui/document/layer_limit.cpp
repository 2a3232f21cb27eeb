// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/layer_limit.h"

#include <QCoreApplication>

namespace flopsmith::ui {

QString whyTooManyLayers(const Model& model, std::int64_t added)
{
    const std::int64_t layers = model.layers() + added;
    return layers <= kMaxLayers
        ? QString()
        : QCoreApplication::translate("LayerLimit",
                                      "That would make %1 layers; a model has at most %2.")
              .arg(layers)
              .arg(kMaxLayers);
}

std::int64_t addedBehind(const Model& model, int run, std::int64_t blocks)
{
    return blocks * static_cast<std::int64_t>(repeatsOf(model, run).size());
}

} // namespace flopsmith::ui
