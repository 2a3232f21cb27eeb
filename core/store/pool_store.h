// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/device_pool.h"
#include "core/store/stored_measuring.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace flopsmith {

/// The store as the cache of a pool of devices: results that a device has measured with its current
/// libraries, driver and program are reused, and new results are stored as they arrive.
class PoolStore
{
public:
    /// `options` apply to every job.
    PoolStore(const std::filesystem::path& file,
              Reuse reuse,
              std::span<const Device> devices,
              const MeasuringOptions& options);
    ~PoolStore();
    PoolStore(const PoolStore&) = delete;
    PoolStore& operator=(const PoolStore&) = delete;

    /// Must not outlive this object. Without a usable store it is empty.
    PoolMemory memory();

    /// The first failure of the store; measuring continues without it.
    std::optional<Error> failure() const;

private:
    class Stores;
    std::unique_ptr<Stores> m_stores;
};

} // namespace flopsmith
