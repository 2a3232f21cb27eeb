// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/base/part_figure.h"
#include "core/present/headline/headline.h"
#include "core/why/why.h"

#include <string>

namespace flopsmith {

/// How a figure of a part comes about; of the whole model what whyOf() says where it says more. The
/// title names part and quantity. `device` names the device that measured. Call it on the formulas'
/// thread.
Why whyOfPart(const PartFigure& figure,
              const HeadlineSource& source,
              const std::string& device = {});

} // namespace flopsmith
