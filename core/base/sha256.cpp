// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.2, with its names.
namespace flopsmith {
namespace {

using Word = std::uint32_t;
using Sha256State = std::array<Word, 8>;

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kLengthBytes = 8;

// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
constexpr Sha256State kInitialState{0x6a09e667U,
                                    0xbb67ae85U,
                                    0x3c6ef372U,
                                    0xa54ff53aU,
                                    0x510e527fU,
                                    0x9b05688cU,
                                    0x1f83d9abU,
                                    0x5be0cd19U};

// The same for the cube roots of the first 64 primes.
constexpr std::array<Word, 64> kRoundConstants{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U,
    0xab1c5ed5U, 0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU,
    0x9bdc06a7U, 0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU,
    0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U,
    0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
    0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U, 0xa2bfe8a1U, 0xa81a664bU,
    0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U,
    0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U,
    0xc67178f2U};

Word byteAt(std::string_view bytes, std::size_t i)
{
    return static_cast<unsigned char>(bytes[i]);
}

std::array<Word, 64> messageSchedule(std::string_view block)
{
    std::array<Word, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
        w[t] = byteAt(block, 4 * t) << 24U | byteAt(block, 4 * t + 1) << 16U
            | byteAt(block, 4 * t + 2) << 8U | byteAt(block, 4 * t + 3);
    }
    for (std::size_t t = 16; t < w.size(); ++t) {
        const Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
        const Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    return w;
}

void compress(Sha256State& state, std::string_view block)
{
    const std::array<Word, 64> w = messageSchedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < w.size(); ++t) {
        const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const Word choice = (e & f) ^ (~e & g);
        const Word t1 = h + sum1 + choice + kRoundConstants[t] + w[t];
        const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const Word majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    const Sha256State added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += added[i];
    }
}

// The end of the message, a one bit, zeros, and the message's length in bits.
std::string paddedEnd(std::string_view rest, std::uint64_t messageBytes)
{
    std::string end(rest);
    end += '\x80';
    while (end.size() % kBlockBytes != kBlockBytes - kLengthBytes) {
        end += '\0';
    }
    const std::uint64_t bits = messageBytes * 8U;
    for (std::size_t i = kLengthBytes; i-- > 0;) {
        end += static_cast<char>(bits >> (8U * i) & 0xFFU);
    }
    return end;
}

void compressAll(Sha256State& state, std::string_view blocks)
{
    for (; !blocks.empty(); blocks.remove_prefix(kBlockBytes)) {
        compress(state, blocks.substr(0, kBlockBytes));
    }
}

} // namespace

std::string sha256(std::string_view bytes)
{
    const std::size_t whole = bytes.size() - bytes.size() % kBlockBytes;
    Sha256State state = kInitialState;
    compressAll(state, bytes.substr(0, whole));
    compressAll(state, paddedEnd(bytes.substr(whole), bytes.size()));
    std::string digest;
    for (const Word word : state) {
        for (unsigned shift = 32; shift > 0; shift -= 4) {
            digest += "0123456789abcdef"[word >> (shift - 4U) & 0xFU];
        }
    }
    return digest;
}

} // namespace flopsmith
