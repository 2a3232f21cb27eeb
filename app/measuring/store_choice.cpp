// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/store_choice.h"

#include <utility>

namespace flopsmith::app {

OpenedStore openedStore(const StoreChoice& choice)
{
    if (!choice.used) {
        return {};
    }
    Result<MeasurementStore> store = MeasurementStore::open(choice.file);
    if (!store) {
        return {.failure = store.error()};
    }
    return {.store = std::move(*store)};
}

std::string storeNote(const Error& failure)
{
    return failure.message + "; measured without it";
}

} // namespace flopsmith::app
