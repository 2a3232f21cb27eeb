// SPDX-License-Identifier: MIT
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace flopsmith {

/// While it exists, denormal numbers of this thread are 0, where the processor can do that. Gates that
/// have closed and moments that decay become denormal, and many processors are slow with such numbers.
class FlushedDenormals
{
public:
    FlushedDenormals()
    {
#if defined(__SSE2__)
        constexpr unsigned kFlushResults = 0x8000;
        constexpr unsigned kFlushOperands = 0x0040;
        _mm_setcsr(m_before | kFlushResults | kFlushOperands);
#endif
    }

    ~FlushedDenormals()
    {
#if defined(__SSE2__)
        _mm_setcsr(m_before);
#endif
    }

    FlushedDenormals(const FlushedDenormals&) = delete;
    FlushedDenormals& operator=(const FlushedDenormals&) = delete;

private:
#if defined(__SSE2__)
    unsigned m_before = _mm_getcsr();
#endif
};

} // namespace flopsmith
