// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace flopsmith {

template <class Spec, class... Specs>
concept OneOf = (std::same_as<Spec, Specs> || ...);

/// A value of one of several types, used like a std::variant: get_if<Spec>(&handle),
/// holds_alternative<Spec>(handle), visit(visitor, handle). Holding a handle needs no definition of
/// these types, making or reading a Spec needs only that type's, and only visit() needs all of
/// them. So the header of a registry includes no variant, and a change of one recompiles only the
/// sources that name it. Copies share the value until one of them is written to: a model of a thousand
/// blocks is copied and compared at every step of a slider. A handle that was moved from can be assigned
/// to, copied and destroyed.
template <class... Specs>
class VariantHandle
{
public:
    using First = std::tuple_element_t<0, std::tuple<Specs...>>;
    static constexpr std::size_t kKinds = sizeof...(Specs);

    /// Holds a First with its defaults. A registry declares a specialisation of its own, which needs
    /// First in one source.
    VariantHandle()
        : VariantHandle(First{})
    {}

    template <OneOf<Specs...> Spec>
    // NOLINTNEXTLINE(google-explicit-constructor)
    VariantHandle(Spec spec)
        : m_held(std::make_shared<HeldSpec<Spec>>(std::move(spec)))
    {}

    VariantHandle(const VariantHandle& other)
        : m_held(other.m_isReferenced ? other.m_held->clone() : other.m_held)
    {}

    VariantHandle(VariantHandle&& other) noexcept
        : m_held(std::move(other.m_held))
        , m_isReferenced(std::exchange(other.m_isReferenced, false))
    {}

    VariantHandle& operator=(const VariantHandle& other)
    {
        VariantHandle copy(other);
        m_held.swap(copy.m_held);
        m_isReferenced = false;
        return *this;
    }

    VariantHandle& operator=(VariantHandle&& other) noexcept
    {
        m_isReferenced = std::exchange(other.m_isReferenced, false);
        m_held = std::move(other.m_held); // last: `other` may be a part of the value that goes
        return *this;
    }

    ~VariantHandle() = default;

    /// Index of the held type in the list of types.
    std::size_t index() const
    {
        FLOPSMITH_CHECK(m_held != nullptr);
        return m_held->index;
    }

    bool operator==(const VariantHandle& other) const
    {
        return m_held == other.m_held
            || (index() == other.index() && m_held->equals(*other.m_held));
    }

    template <OneOf<Specs...> Spec>
    static constexpr std::size_t indexOf()
    {
        std::size_t index = 0;
        std::size_t found = 0;
        ((found = std::is_same_v<Spec, Specs> ? index : found, ++index), ...);
        return found;
    }

    /// The held value, or null if it has another type. What is written to it changes this handle alone.
    template <OneOf<Specs...> Spec>
    Spec* as()
    {
        if (index() != indexOf<Spec>()) {
            return nullptr;
        }
        if (m_held.use_count() > 1) {
            m_held = m_held->clone();
        }
        // Another thread may have read the value and let go of it just now.
        std::atomic_thread_fence(std::memory_order_acquire);
        m_isReferenced = true;
        return &static_cast<HeldSpec<Spec>&>(*m_held).spec;
    }

    template <OneOf<Specs...> Spec>
    const Spec* as() const
    {
        return index() == indexOf<Spec>() ? &static_cast<const HeldSpec<Spec>&>(*m_held).spec
                                          : nullptr;
    }

private:
    struct Held
    {
        explicit Held(std::size_t at)
            : index(at)
        {}
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        virtual ~Held() = default;

        virtual std::shared_ptr<Held> clone() const = 0;
        virtual bool equals(const Held& other) const = 0; ///< one that holds the same type

        const std::size_t index;
    };

    template <class Spec>
    struct HeldSpec final : Held
    {
        explicit HeldSpec(Spec held)
            : Held(indexOf<Spec>())
            , spec(std::move(held))
        {}

        std::shared_ptr<Held> clone() const override { return std::make_shared<HeldSpec>(spec); }

        bool equals(const Held& other) const override
        {
            return spec == static_cast<const HeldSpec&>(other).spec;
        }

        Spec spec;
    };

    std::shared_ptr<Held> m_held; ///< shared by copies until one of them is written to
    /// Somebody may write to the value through a pointer of before, so that it is not shared any more.
    bool m_isReferenced = false;
};

namespace detail {
// Of the types after the first, so that a list can begin each with a comma.
template <class Ignored, class... Specs>
using HandleAfter = VariantHandle<Specs...>;
} // namespace detail

// Named like their counterparts in std, so that both are called alike.
// NOLINTBEGIN(readability-identifier-naming)
template <class Spec, class... Specs>
bool holds_alternative(const VariantHandle<Specs...>& handle)
{
    return handle.index() == VariantHandle<Specs...>::template indexOf<Spec>();
}

template <class Spec, class... Specs>
Spec* get_if(VariantHandle<Specs...>* handle)
{
    return handle == nullptr ? nullptr : handle->template as<Spec>();
}

template <class Spec, class... Specs>
const Spec* get_if(const VariantHandle<Specs...>* handle)
{
    return handle == nullptr ? nullptr : handle->template as<Spec>();
}

template <class Spec, class... Specs>
Spec& get(VariantHandle<Specs...>& handle)
{
    FLOPSMITH_CHECK(holds_alternative<Spec>(handle));
    return *handle.template as<Spec>();
}

template <class Spec, class... Specs>
const Spec& get(const VariantHandle<Specs...>& handle)
{
    FLOPSMITH_CHECK(holds_alternative<Spec>(handle));
    return *handle.template as<Spec>();
}

// NOLINTEND(readability-identifier-naming)

namespace detail {

template <class Handle, class Visitor, class Spec>
decltype(auto) visitAs(Visitor& visitor, Handle& handle)
{
    return visitor(*handle.template as<Spec>());
}

// A table of the visitor's calls, one per type, as std::visit makes.
template <class Result, class Handle, class Visitor, class... Specs>
Result visitHeld(Visitor& visitor, Handle& handle)
{
    using Call = Result (*)(Visitor&, Handle&);
    static constexpr Call kCalls[] = {&visitAs<Handle, Visitor, Specs>...};
    return kCalls[handle.index()](visitor, handle);
}

} // namespace detail

/// Calls visitor(spec) with the held value. The visitor returns the same type for all of them.
template <class Visitor, class... Specs>
decltype(auto) visit(Visitor&& visitor, VariantHandle<Specs...>& handle)
{
    using Handle = VariantHandle<Specs...>;
    using Result = decltype(visitor(std::declval<typename Handle::First&>()));
    return detail::visitHeld<Result, Handle, std::remove_reference_t<Visitor>, Specs...>(visitor,
                                                                                         handle);
}

template <class Visitor, class... Specs>
decltype(auto) visit(Visitor&& visitor, const VariantHandle<Specs...>& handle)
{
    using Handle = const VariantHandle<Specs...>;
    using Result = decltype(visitor(std::declval<const typename Handle::First&>()));
    return detail::visitHeld<Result, Handle, std::remove_reference_t<Visitor>, Specs...>(visitor,
                                                                                         handle);
}

} // namespace flopsmith
