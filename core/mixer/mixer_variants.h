// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/attention.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/fourier.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mixer.h"
#include "core/mixer/no_mixer.h"

// All mixers of the registry, for sources that treat each of them. What names one or two of them
// includes those alone, so that a field of a mixer is compiled again in few places.
