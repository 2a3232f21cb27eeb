// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/latent_attention_backward_cost.h"
#include "core/mixer/latent_attention_cost.h"
#include "core/mixer/latent_attention_spec.h"
