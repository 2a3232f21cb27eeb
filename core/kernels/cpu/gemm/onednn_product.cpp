// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/threads/team.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <vector>

// The library where the build has oneDNN. The limits are measured, see README.md of this folder.
namespace flopsmith::cpu {

void multiplyByLibrary(const ProductSize& size,
                       const MatrixAt<const float>& a,
                       Stored aStored,
                       const MatrixAt<const float>& b,
                       Stored bStored,
                       const MatrixAt<float>& c,
                       Into into)
{
    // Its own thread pool would compete with ours, which does all parallel work.
    [[maybe_unused]] thread_local const bool kAlone = [] {
        omp_set_num_threads(1);
        return true;
    }();
    const auto transposition = [](Stored stored) {
        return stored == Stored::transposed ? 'T' : 'N';
    };
    const dnnl::status status = dnnl::sgemm(transposition(aStored),
                                            transposition(bStored),
                                            size.rows,
                                            size.columns,
                                            size.inner,
                                            1.0F,
                                            a.first,
                                            a.stride,
                                            b.first,
                                            b.stride,
                                            into == Into::accumulate ? 1.0F : 0.0F,
                                            c.first,
                                            c.stride);
    if (status != dnnl::status::success) { // it could not allocate memory to pack into
        multiplyBlocked(size, a, aStored, b, bStored, c, into);
    }
}

std::int64_t libraryThreshold()
{
    return 128;
}

bool libraryLeads(std::int64_t rows)
{
    return rows >= 1024;
}

LibraryVersion productLibrary()
{
    const dnnl::version_t* version = dnnl::version();
    return {"oneDNN",
            std::to_string(version->major) + "." + std::to_string(version->minor) + "."
                + std::to_string(version->patch)};
}

int libraryVectorBits()
{
    using dnnl::cpu_isa;
    const cpu_isa set = dnnl::get_effective_cpu_isa();
    if (set == cpu_isa::sse41) {
        return 128;
    }
    return set == cpu_isa::avx || set == cpu_isa::avx2 || set == cpu_isa::avx2_vnni ? 256 : 512;
}

namespace {

// Every combination of transpositions and of overwriting or accumulating, at a size without a
// shortcut, so that oneDNN compiles its kernels.
void multiplyEachWay()
{
    constexpr std::int64_t kSize = 48;
    const std::vector<float> ones(kSize * kSize, 1.0F);
    std::vector<float> c(kSize * kSize);
    for (const Stored a : {Stored::notTransposed, Stored::transposed}) {
        for (const Stored b : {Stored::notTransposed, Stored::transposed}) {
            for (const Into into : {Into::overwrite, Into::accumulate}) {
                multiplyByLibrary({kSize, kSize, kSize},
                                  {ones.data(), kSize},
                                  a,
                                  {ones.data(), kSize},
                                  b,
                                  {c.data(), kSize},
                                  into);
            }
        }
    }
}

[[maybe_unused]] const bool kThreadsAreSetUp = onThreadStart(prepareLibrary);

} // namespace

void prepareLibrary()
{
    [[maybe_unused]] thread_local const bool kPrepared = [] {
        multiplyEachWay();
        return true;
    }();
}

} // namespace flopsmith::cpu
