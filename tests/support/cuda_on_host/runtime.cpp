// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuda_on_host/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

struct CUstream_st
{
    std::vector<std::function<void()>>* capturing = nullptr;
};
struct CUevent_st
{
    double milliseconds = 0;
};
struct CUgraph_st
{
    std::vector<std::function<void()>> work;
};
struct CUgraphExec_st
{
    std::vector<std::function<void()>> work;
};

namespace cuda_on_host {
namespace {

// Memory that ends where a page without access begins: reading or writing past the end stops the
// program there and then. Before the beginning there is such a page too, but up to 15 bytes and the
// rest of the page are watched by a pattern only, which is looked at when the memory is freed.
struct Allocation
{
    char* pages = nullptr;
    std::size_t pagesBytes = 0;
    std::size_t bytes = 0;
};

constexpr unsigned char kPattern = 0xa5;
constexpr std::size_t kAlignment = 16;
constexpr std::size_t kSharedMemory = std::size_t{99} << 10; // of a block, compute capability 8.6
constexpr std::size_t kMarkedBytes = std::size_t{1} << 20; // that begin as not-a-number

struct State
{
    std::map<std::uintptr_t, Allocation> allocations; // by their first byte
    std::size_t allocated = 0;
    std::size_t memory = kUsualMemory;
    cudaError_t state = cudaSuccess;
    double clock = 0; // milliseconds; every piece of work takes one
};

State& state()
{
    static State only;
    return only;
}

[[noreturn]] void fail(const char* what, const char* who)
{
    std::fprintf(stderr, "cuda_on_host: %s %s\n", who, what);
    std::abort();
}

std::size_t pageBytes()
{
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// The bytes of the accessible pages around the allocation's own must still hold the pattern.
void expectUntouched(std::uintptr_t first, const Allocation& memory)
{
    const auto* begin = reinterpret_cast<const unsigned char*>(memory.pages) + pageBytes();
    const auto* end =
        reinterpret_cast<const unsigned char*>(memory.pages) + memory.pagesBytes - pageBytes();
    const auto* own = reinterpret_cast<const unsigned char*>(first);
    const auto isPattern = [](unsigned char byte) { return byte == kPattern; };
    if (!std::all_of(begin, own, isPattern) || !std::all_of(own + memory.bytes, end, isPattern)) {
        fail("wrote beside an allocation of the device's memory", "something");
    }
}

std::map<std::uintptr_t, Allocation>::iterator allocationAround(const void* pointer)
{
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto after = state().allocations.upper_bound(address);
    if (after == state().allocations.begin()) {
        return state().allocations.end();
    }
    --after;
    return address < after->first + after->second.bytes ? after : state().allocations.end();
}

} // namespace

void enqueue(cudaStream_t stream, std::function<void()> work)
{
    if (stream != nullptr && stream->capturing != nullptr) {
        stream->capturing->push_back(std::move(work));
        return;
    }
    state().clock += 1.0;
    work();
}

void expectOnDevice(const void* pointer, const char* who)
{
    if (pointer != nullptr && allocationAround(pointer) == state().allocations.end()) {
        fail("was given a pointer that is not the device's", who);
    }
}

void setDeviceMemory(std::size_t bytes)
{
    state().memory = bytes;
}

void setDeviceState(cudaError_t result)
{
    state().state = result;
}

std::size_t allocatedBytes()
{
    return state().allocated;
}

} // namespace cuda_on_host

using cuda_on_host::state;

// ---- device and memory ----

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = state().state == cudaSuccess ? 1 : 0;
    return state().state;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
    *properties = {};
    std::strcpy(properties->name, "Emulation on the host");
    properties->multiProcessorCount = 4;
    properties->major = 8;
    properties->totalGlobalMem = state().memory;
    properties->l2CacheSize = 1 << 20;
    properties->maxThreadsPerMultiProcessor = 2048;
    properties->sharedMemPerBlockOptin = cuda_on_host::kSharedMemory;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

const char* cudaGetErrorString(cudaError_t)
{
    return "an error of the emulation";
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    *total = state().memory;
    *free = state().memory > state().allocated ? state().memory - state().allocated : 0;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    using namespace cuda_on_host;
    if (state().allocated + bytes > state().memory) {
        return cudaErrorMemoryAllocation;
    }
    const std::size_t page = pageBytes();
    const std::size_t inner = (bytes + kAlignment + page - 1) / page * page;
    Allocation made{.pages = nullptr, .pagesBytes = inner + 2 * page, .bytes = bytes};
    void* pages = ::mmap(
        nullptr, made.pagesBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return cudaErrorMemoryAllocation;
    }
    made.pages = static_cast<char*>(pages);
    char* const end = made.pages + page + inner;
    char* const first = end - (bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::memset(made.pages + page, kPattern, static_cast<std::size_t>(first - made.pages) - page);
    std::memset(first + bytes, kPattern, static_cast<std::size_t>(end - first) - bytes);
    std::memset(first, 0xff, std::min(bytes, kMarkedBytes));
    ::mprotect(made.pages, page, PROT_NONE);
    ::mprotect(end, page, PROT_NONE);
    state().allocations[reinterpret_cast<std::uintptr_t>(first)] = made;
    state().allocated += bytes;
    *memory = first;
    return cudaSuccess;
}

cudaError_t cudaFree(void* memory)
{
    using namespace cuda_on_host;
    if (memory == nullptr) {
        return cudaSuccess;
    }
    const auto found = state().allocations.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == state().allocations.end()) {
        fail("frees what was not allocated", "cudaFree");
    }
    expectUntouched(found->first, found->second);
    ::munmap(found->second.pages, found->second.pagesBytes);
    state().allocated -= found->second.bytes;
    state().allocations.erase(found);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyAsync(void* to,
                            const void* from,
                            std::size_t bytes,
                            cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (kind != cudaMemcpyHostToDevice) {
        cuda_on_host::expectOnDevice(from, "cudaMemcpy");
    }
    if (kind != cudaMemcpyDeviceToHost) {
        cuda_on_host::expectOnDevice(to, "cudaMemcpy");
    }
    cuda_on_host::enqueue(stream, [=] { std::memmove(to, from, bytes); });
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream)
{
    cuda_on_host::expectOnDevice(to, "cudaMemset");
    cuda_on_host::enqueue(stream, [=] { std::memset(to, value, bytes); });
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void* to,
                              std::size_t pitch,
                              int value,
                              std::size_t width,
                              std::size_t height,
                              cudaStream_t stream)
{
    cuda_on_host::expectOnDevice(to, "cudaMemset2D");
    cuda_on_host::enqueue(stream, [=] {
        for (std::size_t row = 0; row < height; ++row) {
            std::memset(static_cast<char*>(to) + row * pitch, value, width);
        }
    });
    return cudaSuccess;
}

// ---- streams, events, graphs ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    *stream = new CUstream_st;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream != nullptr && stream->capturing != nullptr ? cudaErrorStreamCaptureUnsupported
                                                             : cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    *event = new CUevent_st;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (stream != nullptr && stream->capturing != nullptr) {
        return cudaErrorStreamCaptureUnsupported;
    }
    event->milliseconds = state().clock;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    *milliseconds = static_cast<float>(end->milliseconds - start->milliseconds);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    stream->capturing = new std::vector<std::function<void()>>;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    const std::unique_ptr<std::vector<std::function<void()>>> captured(stream->capturing);
    stream->capturing = nullptr;
    *graph = new CUgraph_st{std::move(*captured)};
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long)
{
    *executable = new CUgraphExec_st{graph->work};
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    delete executable;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    for (const std::function<void()>& work : executable->work) {
        cuda_on_host::enqueue(stream, work);
    }
    return cudaSuccess;
}
