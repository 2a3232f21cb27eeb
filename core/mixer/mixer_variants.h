// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/attention.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/fourier.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mamba2.h"
#include "core/mixer/mixer.h"
#include "core/mixer/no_mixer.h"

// All mixers of the registry, for sources that treat each of them. A source that names one or two
// includes only those, so that a field of a mixer is recompiled in few places.
