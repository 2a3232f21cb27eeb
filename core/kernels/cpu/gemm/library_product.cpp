// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/library_product.h"

#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/threads/team.h"

#include <cblas.h>

#include <vector>

#ifdef FLOPSMITH_ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace flopsmith::cpu {

// The limits are measured, see tests/bench/README.md.
#ifdef FLOPSMITH_ONEDNN

void multiplyByLibrary(const ProductSize& size,
                       const MatrixAt<const float>& a,
                       Stored aStored,
                       const MatrixAt<const float>& b,
                       Stored bStored,
                       const MatrixAt<float>& c,
                       Into into)
{
    // Its own threads would wait for one another: all parallel work is our team's.
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
                                            into == Into::add ? 1.0F : 0.0F,
                                            c.first,
                                            c.stride);
    if (status != dnnl::status::success) { // it found no memory to pack into
        multiplyBlocked(size, a, aStored, b, bStored, c, into);
    }
}

std::int64_t fewForLibrary()
{
    return 128;
}

bool libraryLeads(std::int64_t rows)
{
    return rows >= 1024;
}

std::string oneDnnVersion()
{
    const dnnl::version_t* version = dnnl::version();
    return std::to_string(version->major) + "." + std::to_string(version->minor) + "."
        + std::to_string(version->patch);
}

#else

void multiplyByLibrary(const ProductSize& size,
                       const MatrixAt<const float>& a,
                       Stored aStored,
                       const MatrixAt<const float>& b,
                       Stored bStored,
                       const MatrixAt<float>& c,
                       Into into)
{
    const auto transposition = [](Stored stored) {
        return stored == Stored::transposed ? CblasTrans : CblasNoTrans;
    };
    cblas_sgemm(CblasRowMajor,
                transposition(aStored),
                transposition(bStored),
                static_cast<blasint>(size.rows),
                static_cast<blasint>(size.columns),
                static_cast<blasint>(size.inner),
                1.0F,
                a.first,
                static_cast<blasint>(a.stride),
                b.first,
                static_cast<blasint>(b.stride),
                into == Into::add ? 1.0F : 0.0F,
                c.first,
                static_cast<blasint>(c.stride));
}

std::int64_t fewForLibrary()
{
    return 256;
}

bool libraryLeads(std::int64_t /*rows*/)
{
    return false;
}

std::string oneDnnVersion()
{
    return {};
}

#endif

namespace {

// Each way to store the operands and to add, at a size without a shortcut.
void multiplyEachWay()
{
    constexpr std::int64_t kSize = 48;
    const std::vector<float> ones(kSize * kSize, 1.0F);
    std::vector<float> c(kSize * kSize);
    for (const Stored a : {Stored::straight, Stored::transposed}) {
        for (const Stored b : {Stored::straight, Stored::transposed}) {
            for (const Into into : {Into::overwrite, Into::add}) {
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

[[maybe_unused]] const bool kThreadsAreSetUp = onThreadStart(prepareLibraries);

} // namespace

void prepareLibraries()
{
    [[maybe_unused]] thread_local const bool kPrepared = [] {
        openblas_set_num_threads(1);
        multiplyEachWay();
        return true;
    }();
}

} // namespace flopsmith::cpu
