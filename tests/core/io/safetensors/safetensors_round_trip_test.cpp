// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/half_floats.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "tests/core/base/text_fixture.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <vector>

namespace flopsmith {
namespace {

// A tensor with values of its own, real or whole.
struct OwnTensor
{
    TensorType type = TensorType::f32;
    TensorShape shape{};
    std::vector<double> real{};
    std::vector<std::int64_t> whole{};

    bool isReal() const { return type != TensorType::i64 && type != TensorType::i32; }
};

TensorShape arbitraryShape()
{
    const auto sizes = *rc::gen::inRange<std::size_t>(0, 4);
    return *rc::gen::container<TensorShape>(sizes, rc::gen::inRange<std::int64_t>(0, 4));
}

OwnTensor arbitraryTensor()
{
    OwnTensor tensor;
    tensor.type = *rc::gen::element(
        TensorType::f64, TensorType::f32, TensorType::bf16, TensorType::i64, TensorType::i32);
    tensor.shape = arbitraryShape();
    const auto elements = static_cast<std::size_t>(elementsOf(tensor.shape, 1).value());
    if (tensor.isReal()) {
        const auto numbers =
            *rc::gen::container<std::vector<float>>(elements, rc::gen::arbitrary<float>());
        tensor.real.assign(numbers.begin(), numbers.end());
    } else {
        const auto numbers = *rc::gen::container<std::vector<std::int32_t>>(
            elements, rc::gen::arbitrary<std::int32_t>());
        tensor.whole.assign(numbers.begin(), numbers.end());
    }
    return tensor;
}

std::vector<TensorToWrite> toWrite(const std::vector<OwnTensor>& tensors)
{
    std::vector<TensorToWrite> all;
    for (const OwnTensor& tensor : tensors) {
        TensorToWrite next{.name = "t" + std::to_string(all.size()),
                           .type = tensor.type,
                           .shape = tensor.shape,
                           .values = std::span<const double>(tensor.real)};
        if (!tensor.isReal()) {
            next.values = std::span<const std::int64_t>(tensor.whole);
        }
        all.push_back(std::move(next));
    }
    return all;
}

// What is read again: bfloat16 is all that loses anything.
std::vector<double> storedReal(const OwnTensor& tensor)
{
    std::vector<double> stored = tensor.real;
    for (double& value : stored) {
        if (tensor.type == TensorType::bf16) {
            value = static_cast<double>(floatOf(roundedToBfloat16(value)));
        }
    }
    return stored;
}

class SafetensorsRoundTrip : public TextFile
{
protected:
    void clear() const
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
};

TEST_F(SafetensorsRoundTrip, WhatIsWrittenIsRead)
{
    EXPECT_TRUE(rc::check([this] {
        clear();
        std::vector<OwnTensor> tensors(*rc::gen::inRange<std::size_t>(0, 6));
        for (OwnTensor& tensor : tensors) {
            tensor = arbitraryTensor();
        }
        const auto shardBytes = *rc::gen::inRange<std::uint64_t>(1, 400);

        const auto written =
            writeSafetensorsFolder(m_folder.string(), toWrite(tensors), {}, shardBytes);
        RC_ASSERT(written.ok());
        const auto folder = SafetensorsFolder::open(m_folder.string());
        RC_ASSERT(folder.ok());

        RC_ASSERT(folder->size() == tensors.size());
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const std::string name = "t" + std::to_string(i);
            const auto place = folder->find(name);
            RC_ASSERT(place.has_value());
            RC_ASSERT(place->tensor->type == tensors[i].type);
            RC_ASSERT(place->tensor->shape == tensors[i].shape);
            if (tensors[i].isReal()) {
                RC_ASSERT(folder->readAs<double>(name).value() == storedReal(tensors[i]));
            } else {
                RC_ASSERT(folder->readAs<std::int64_t>(name).value() == tensors[i].whole);
            }
        }
    }));
}

TEST_F(SafetensorsRoundTrip, MetadataComesBack)
{
    const SafetensorsMetadata metadata{
        {"format", "pt"}, {"", "empty"}, {"tied", "a=b \"c\"\n\\"}, {"gr\xC3\xBC\xC3\x9F", "\x01"}};

    ASSERT_TRUE(writeSafetensors(path("a"), {}, metadata).ok());

    EXPECT_EQ(SafetensorsFile::open(path("a")).value().metadata(), metadata);
}

} // namespace
} // namespace flopsmith
