// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/tables/report.h"
#include "tests/bench/tables/torch_peer.h"

namespace flopsmith::bench {

/// Dense and gated FFNs in bfloat16 on one thread, beside the same in float32 and beside PyTorch in
/// bfloat16 (`peer` may be null). Where nothing computes products in it, a note says what is missing.
void printBfloat16(const Options& options, Report& report, TorchPeer* peer);

} // namespace flopsmith::bench
