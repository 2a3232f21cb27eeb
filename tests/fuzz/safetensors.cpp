// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/safetensors/safetensors_header.h"
#include "core/io/safetensors/safetensors_layout.h"
#include "core/io/safetensors/tensor_values.h"
#include "tests/fuzz/target.h"

#include <span>
#include <string>
#include <vector>

// Files of strangers with weights: what is read has each byte in one tensor, and is the same when it is
// written and read again.
namespace {

using namespace flopsmith;

template <class T>
void readAll(TensorType type, std::span<const std::byte> bytes)
{
    std::vector<T> values(bytes.size() / bytesPerElement(type));
    const Status read = readTensorValues(type, bytes, std::span<T>(values));
    FLOPSMITH_CHECK(read.ok() || !read.error().message.empty());
}

void readTensors(const SafetensorsHeader& header, std::span<const std::byte> values)
{
    std::uint64_t end = 0;
    for (const SafetensorsTensor& tensor : header.tensors) {
        FLOPSMITH_CHECK(tensor.begin == end);
        end = tensor.end;
        FLOPSMITH_CHECK(elementsOf(tensor.shape, bytesPerElement(tensor.type))
                        == tensor.elements());
        const auto bytes = values.subspan(tensor.begin, tensor.end - tensor.begin);
        readAll<float>(tensor.type, bytes);
        readAll<double>(tensor.type, bytes);
        readAll<std::int64_t>(tensor.type, bytes);
    }
    FLOPSMITH_CHECK(end == values.size());
}

} // namespace

FLOPSMITH_FUZZ_READER(safetensors)
{
    const auto file = std::as_bytes(std::span(data, size));
    const Result<SafetensorsHeader> header = parsedSafetensors(file, "fuzz");
    if (!header) {
        FLOPSMITH_CHECK(!header.error().message.empty());
        return 0;
    }
    readTensors(*header, file.subspan(header->dataStart));

    const Result<std::string> start = safetensorsStart(header->tensors, header->metadata);
    if (!start) { // written with all its digits it is larger
        return 0;
    }
    const std::string again = *start + std::string(asText(data, size).substr(header->dataStart));
    const auto read = parsedSafetensors(std::as_bytes(std::span(again)), "again");
    FLOPSMITH_CHECK(read.ok());
    FLOPSMITH_CHECK(read->tensors == header->tensors && read->metadata == header->metadata);
    return 0;
}
