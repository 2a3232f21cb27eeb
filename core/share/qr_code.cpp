// SPDX-License-Identifier: MIT
#include "core/share/qr_code.h"

#include <qrencode.h>

#include <memory>

namespace flopsmith {
namespace {

struct QrFree
{
    void operator()(QRcode* code) const { QRcode_free(code); }
};

// The margin is light, as everything around the code.
bool isDarkAt(const QrCode& code, int row, int column)
{
    const bool inside = row >= 0 && column >= 0 && row < code.size() && column < code.size();
    return inside && code.isDark(row, column);
}

// Neighbours in a row are one rectangle: "M4 4h7v1h-7z".
std::string darkPath(const QrCode& code)
{
    std::string path;
    for (int row = 0; row < code.size(); ++row) {
        for (int column = 0; column < code.size();) {
            const int begin = column;
            while (isDarkAt(code, row, column)) {
                ++column;
            }
            if (const int length = column - begin; length > 0) {
                const std::string width = std::to_string(length);
                path += "M" + std::to_string(begin + QrCode::kMargin) + " "
                    + std::to_string(row + QrCode::kMargin) + "h" + width + "v1h-" + width + "z";
            } else {
                ++column;
            }
        }
    }
    return path;
}

} // namespace

Result<QrCode> QrCode::create(std::string_view text)
{
    if (text.empty()) {
        return Error{"an empty text has no QR code"};
    }
    if (text.size() > kLongestQrText) {
        return Error{"the share code has " + std::to_string(text.size())
                     + " characters, too many for a QR code that can be scanned (at most "
                     + std::to_string(kLongestQrText) + "); save the design as a file"};
    }
    const std::string bytes(text); // with the zero at its end that the library looks for
    const std::unique_ptr<QRcode, QrFree> code(
        QRcode_encodeString8bit(bytes.c_str(), 0, QR_ECLEVEL_M));
    if (code == nullptr) {
        return Error{"no QR code of the text could be made"};
    }
    std::vector<bool> dark;
    for (int i = 0; i < code->width * code->width; ++i) {
        dark.push_back((code->data[i] & 1U) != 0); // NOLINT: the library's array
    }
    return QrCode(code->width, std::move(dark));
}

std::string qrSvg(const QrCode& code)
{
    const std::string side = std::to_string(code.size() + 2 * QrCode::kMargin);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + side + " " + side
        + "\" width=\"" + side + "mm\" height=\"" + side
        + "mm\" shape-rendering=\"crispEdges\">\n<rect width=\"" + side + "\" height=\"" + side
        + "\" fill=\"#ffffff\"/>\n<path d=\"" + darkPath(code) + "\" fill=\"#000000\"/>\n</svg>\n";
}

std::string qrText(const QrCode& code)
{
    std::string text;
    const int end = code.size() + QrCode::kMargin;
    for (int row = -QrCode::kMargin; row < end; row += 2) {
        for (int column = -QrCode::kMargin; column < end; ++column) {
            const bool above = isDarkAt(code, row, column);
            const bool below = isDarkAt(code, row + 1, column);
            text += above ? (below ? " " : "\u2584") : (below ? "\u2580" : "\u2588");
        }
        text += '\n';
    }
    return text;
}

} // namespace flopsmith
