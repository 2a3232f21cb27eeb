// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/dense.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/factored/low_rank.h"
#include "core/ffn/factored/monarch.h"
#include "core/ffn/ffn.h"
#include "core/ffn/gated.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/moe.h"
#include "core/ffn/no_ffn.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/random_projection.h"
#include "core/ffn/spectral.h"
#include "core/ffn/token_feedback.h"

// All FFNs of the registry, for sources that treat each of them. A source that names one or two
// includes only those, so that a field of an FFN is recompiled in few places.
