// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace flopsmith::reference {

/// One complex number of a spectrum.
template <class S>
struct Bin
{
    S re{};
    S im{};
};

/// cos(2π·jn/length) and sin of the same for whole numbers j and n.
class RootsOfUnity
{
public:
    explicit RootsOfUnity(int length)
        : m_length(static_cast<std::size_t>(length))
    {
        for (std::size_t i = 0; i < m_length; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / length;
            m_cos.push_back(std::cos(angle));
            m_sin.push_back(std::sin(angle));
        }
    }

    std::size_t length() const { return m_length; }
    double cosine(std::size_t j, std::size_t n) const { return m_cos[j * n % m_length]; }
    double sine(std::size_t j, std::size_t n) const { return m_sin[j * n % m_length]; }

private:
    std::size_t m_length;
    std::vector<double> m_cos; ///< cos(2πi/length)
    std::vector<double> m_sin;
};

/// The complex discrete Fourier transform Z_k = Σ_n z_n·e^(−2πi·kn/length), straight from the
/// definition, its sums in double. Counts as one nominal complex FFT.
class ComplexDft
{
public:
    explicit ComplexDft(int length)
        : m_roots(length)
    {}

    template <class S>
    std::vector<Bin<S>> forward(const std::vector<Bin<S>>& z) const
    {
        noteComplexTransform<S>(static_cast<int>(m_roots.length()));
        std::vector<Bin<S>> spectrum;
        for (std::size_t k = 0; k < z.size(); ++k) {
            double re = 0;
            double im = 0;
            for (std::size_t n = 0; n < z.size(); ++n) {
                const double cosine = m_roots.cosine(k, n);
                const double sine = m_roots.sine(k, n);
                re += valueOf(z[n].re) * cosine + valueOf(z[n].im) * sine;
                im += valueOf(z[n].im) * cosine - valueOf(z[n].re) * sine;
            }
            spectrum.push_back({S(re), S(im)});
        }
        return spectrum;
    }

private:
    RootsOfUnity m_roots;
};

/// The real discrete Fourier transform X_j = Σ_n x_n·e^(−2πi·jn/d) and its inverse (with the factor
/// 1/d), directly by the definition, with sums in double. A transform counts as one nominal FFT,
/// however few bins are computed.
class RealDft
{
public:
    explicit RealDft(int length)
        : m_length(static_cast<std::size_t>(length))
        , m_roots(length)
    {}

    std::size_t length() const { return m_length; }

    /// The given bins of the spectrum of x.
    template <class S>
    std::vector<Bin<S>> forward(std::span<const S> x, const std::vector<int>& bins) const
    {
        noteTransform<S>(static_cast<int>(m_length));
        std::vector<Bin<S>> spectrum;
        for (const int bin : bins) {
            double re = 0;
            double im = 0;
            for (std::size_t n = 0; n < m_length; ++n) {
                re += valueOf(x[n]) * cosine(bin, n);
                im -= valueOf(x[n]) * sine(bin, n);
            }
            spectrum.push_back({S(re), S(im)});
        }
        return spectrum;
    }

    /// The signal whose spectrum is `values` at `bins` and zero elsewhere. The imaginary parts of
    /// bin 0 and, for even d, of bin d/2 are ignored.
    template <class S>
    void inverse(const std::vector<Bin<S>>& values,
                 const std::vector<int>& bins,
                 std::span<S> y) const
    {
        noteTransform<S>(static_cast<int>(m_length));
        for (std::size_t n = 0; n < m_length; ++n) {
            double sum = 0;
            for (std::size_t i = 0; i < bins.size(); ++i) {
                sum += valueOf(values[i].re) * cosine(bins[i], n) * realShare(bins[i])
                    - valueOf(values[i].im) * sine(bins[i], n) * imaginaryShare(bins[i]);
            }
            y[n] = S(sum);
        }
    }

    /// [d, 2·bins]: x·basis gives real and imaginary part of each bin.
    template <class S>
    std::vector<S> analysisBasis(const std::vector<int>& bins) const
    {
        std::vector<S> basis;
        for (std::size_t n = 0; n < m_length; ++n) {
            for (const int bin : bins) {
                basis.push_back(S(cosine(bin, n)));
                basis.push_back(S(-sine(bin, n)));
            }
        }
        return basis;
    }

    /// [2·bins, d]: spectrum·basis gives the signal; the basis includes 1/d and the factor 2 of
    /// bins with a conjugate partner.
    template <class S>
    std::vector<S> synthesisBasis(const std::vector<int>& bins) const
    {
        std::vector<S> basis;
        for (const int bin : bins) {
            for (std::size_t n = 0; n < m_length; ++n) {
                basis.push_back(S(cosine(bin, n) * realShare(bin)));
            }
            for (std::size_t n = 0; n < m_length; ++n) {
                basis.push_back(S(-sine(bin, n) * imaginaryShare(bin)));
            }
        }
        return basis;
    }

    /// Factor of a bin's real part in the inverse: 2/d, or 1/d for bins 0 and d/2, which have no
    /// conjugate partner.
    double realShare(int bin) const
    {
        return (standsAlone(bin) ? 1.0 : 2.0) / static_cast<double>(m_length);
    }

private:
    bool standsAlone(int bin) const
    {
        const auto index = static_cast<std::size_t>(bin);
        return index == 0 || 2 * index == m_length;
    }

    double imaginaryShare(int bin) const
    {
        return standsAlone(bin) ? 0.0 : 2.0 / static_cast<double>(m_length);
    }

    double cosine(int bin, std::size_t n) const
    {
        return m_roots.cosine(static_cast<std::size_t>(bin), n);
    }

    double sine(int bin, std::size_t n) const
    {
        return m_roots.sine(static_cast<std::size_t>(bin), n);
    }

    std::size_t m_length;
    RootsOfUnity m_roots;
};

} // namespace flopsmith::reference
