// SPDX-License-Identifier: MIT
#pragma once

// Softmax attention: its specification and what it costs.
#include "core/mixer/attention_backward_cost.h"
#include "core/mixer/attention_cost.h"
#include "core/mixer/attention_spec.h"
