// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/device_pool.h"
#include "core/store/stored_measuring.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace flopsmith {

/// The store as the memory of a pool of devices: what one of them has measured before, as it is now,
/// answers at once, and every result is kept as it arrives.
class PoolStore
{
public:
    /// `options` is what every job gets.
    PoolStore(const std::filesystem::path& file,
              Reuse reuse,
              std::span<const Device> devices,
              const MeasuringOptions& options);
    ~PoolStore();
    PoolStore(const PoolStore&) = delete;
    PoolStore& operator=(const PoolStore&) = delete;

    /// May be used as long as this object lives. Without a store that can be used it knows nothing.
    PoolMemory memory();

    /// The first thing that went wrong with the store; measuring goes on without it.
    std::optional<Error> failure() const;

private:
    class Stores;
    std::unique_ptr<Stores> m_stores;
};

} // namespace flopsmith
