// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// A longer text makes a picture that a telephone does not read off a projector's screen.
inline constexpr std::size_t kLongestQrText = 1'200;

/// A QR code as a square of dark and light modules, without the light margin around it.
class QrCode
{
public:
    /// Light modules that a reader needs on each side.
    static constexpr int kMargin = 4;

    /// The code of a text; about 15 % of its modules may be unreadable (error correction M). An
    /// Error if the text is empty or too long for a picture that can be scanned.
    static Result<QrCode> create(std::string_view text);

    /// Modules of a side.
    int size() const { return m_size; }

    bool isDark(int row, int column) const
    {
        return m_dark[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_size)
                      + static_cast<std::size_t>(column)];
    }

private:
    QrCode(int size, std::vector<bool> dark)
        : m_size(size)
        , m_dark(std::move(dark))
    {}

    int m_size;
    std::vector<bool> m_dark; ///< row by row
};

/// The picture with its margin, as SVG of black modules on white.
std::string qrSvg(const QrCode& code);

/// The picture for a dark terminal: two rows of modules per line, light modules as blocks and dark
/// ones as blanks.
std::string qrText(const QrCode& code);

} // namespace flopsmith
