// SPDX-License-Identifier: MIT
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace flopsmith {

/// While it exists, denormal numbers of this thread are 0, where the processor can do that: gates
/// that have closed and moments that fade away become denormal, and each operation on one takes over a
/// hundred cycles.
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
