// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layer/variant_handle.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flopsmith {
namespace {

struct Plain;
struct Named;
struct Nested;

// The types are not defined yet: a handle does not need them.
using Handle = VariantHandle<Plain, Named, Nested>;

struct Owner
{
    int id = 0;
    Handle held;

    bool operator==(const Owner&) const = default;
    bool isPlain() const { return holds_alternative<Plain>(held); }
};

struct Plain
{
    int width = 3;

    bool operator==(const Plain&) const = default;
};

struct Named
{
    std::string name;

    bool operator==(const Named&) const = default;
};

struct Nested
{
    std::vector<Handle> parts;

    bool operator==(const Nested&) const = default;
};

TEST(VariantHandle, HoldsTheFirstTypeUnlessToldOtherwise)
{
    const Handle handle;

    EXPECT_EQ(handle.index(), 0U);
    EXPECT_EQ(get<Plain>(handle).width, 3);
    EXPECT_TRUE(Owner().isPlain());
}

TEST(VariantHandle, CountsTypesInTheirOrder)
{
    EXPECT_EQ(Handle(Named{}).index(), 1U);
    EXPECT_EQ(Handle(Nested{}).index(), 2U);
    EXPECT_EQ(Handle::kKinds, 3U);
}

TEST(VariantHandle, GivesNothingOfAnotherType)
{
    Handle handle = Named{"x"};
    const Handle& seen = handle;

    EXPECT_EQ(get_if<Plain>(&handle), nullptr);
    EXPECT_EQ(get_if<Plain>(&seen), nullptr);
    ASSERT_NE(get_if<Named>(&seen), nullptr);
    EXPECT_EQ(get_if<Named>(&seen)->name, "x");
    EXPECT_FALSE(holds_alternative<Plain>(handle));
    EXPECT_EQ(get_if<Named>(static_cast<const Handle*>(nullptr)), nullptr);
}

TEST(VariantHandle, CopiesAreIndependent)
{
    Handle handle = Plain{7};
    auto* plain = get_if<Plain>(&handle);
    Handle copy = handle;
    Handle assigned;
    assigned = copy;

    plain->width = 8; // also by a pointer from before the copy
    get<Plain>(assigned).width = 9;

    EXPECT_EQ(get<Plain>(handle).width, 8);
    EXPECT_EQ(get<Plain>(copy).width, 7);
    EXPECT_EQ(get<Plain>(assigned).width, 9);
}

TEST(VariantHandle, CopiesShareTheirValueUntilOneIsWrittenTo)
{
    const Handle original = Nested{{Plain{1}, Plain{2}}};
    Handle copy = original;
    const Handle& seen = copy;
    EXPECT_EQ(get_if<Nested>(&seen), get_if<Nested>(&original));

    get<Plain>(get<Nested>(copy).parts.front()).width = 5;

    EXPECT_EQ(get<Plain>(get<Nested>(original).parts.front()).width, 1);
    EXPECT_EQ(get<Plain>(get<Nested>(seen).parts.front()).width, 5);
    EXPECT_EQ(get_if<Plain>(&get<Nested>(seen).parts.back()),
              get_if<Plain>(&get<Nested>(original).parts.back()));
    const Handle second = copy;
    EXPECT_NE(get_if<Nested>(&second), get_if<Nested>(&seen)); // which somebody may write to
}

TEST(VariantHandle, IsEqualByTypeAndValue)
{
    EXPECT_EQ(Handle(Plain{7}), Handle(Plain{7}));
    EXPECT_NE(Handle(Plain{7}), Handle(Plain{8}));
    EXPECT_NE(Handle(Plain{}), Handle(Named{}));
    EXPECT_EQ((Owner{1, Named{"x"}}), (Owner{1, Named{"x"}}));
    EXPECT_NE((Owner{1, Named{"x"}}), (Owner{1, Named{"y"}}));
}

TEST(VariantHandle, CanBeGivenAnotherValueAfterAMove)
{
    Handle handle = Named{"x"};
    const Handle moved = std::move(handle);

    handle = Plain{5};

    EXPECT_EQ(get<Named>(moved).name, "x");
    EXPECT_EQ(get<Plain>(handle).width, 5);
}

TEST(VariantHandle, CanBeAssignedAPartOfItself)
{
    Handle handle = Nested{{Named{"inner"}}};

    handle = get<Nested>(handle).parts.front();

    EXPECT_EQ(handle, Handle(Named{"inner"}));

    handle = Nested{{handle}};
    handle = std::move(get<Nested>(handle).parts.front());

    EXPECT_EQ(handle, Handle(Named{"inner"}));
}

TEST(VariantHandle, Nests)
{
    Handle inner = Nested{{Plain{1}, Named{"a"}}};
    Handle outer = Nested{{inner, Plain{2}}};
    const Handle before = outer;

    get<Plain>(get<Nested>(get<Nested>(outer).parts[0]).parts[0]).width = 5;

    EXPECT_NE(outer, before);
    EXPECT_EQ(get<Nested>(before).parts[0], inner);
}

TEST(VariantHandle, VisitsWhatItHolds)
{
    struct Text
    {
        std::string operator()(const Plain& plain) const { return std::to_string(plain.width); }
        std::string operator()(const Named& named) const { return named.name; }
        std::string operator()(const Nested&) const { return "nested"; }
    };
    Handle handle = Plain{4};

    EXPECT_EQ(visit(Text{}, handle), "4");
    EXPECT_EQ(visit(Text{}, Handle(Named{"n"})), "n");
    visit(
        [](auto& spec) {
            if constexpr (requires { spec.width; }) {
                spec.width = 6;
            }
        },
        handle);
    EXPECT_EQ(get<Plain>(handle).width, 6);
}

} // namespace
} // namespace flopsmith
