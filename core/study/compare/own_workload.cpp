// SPDX-License-Identifier: MIT
#include "core/study/compare/comparison.h"

namespace flopsmith {
namespace {

void addItem(std::string& list, const std::string& item)
{
    list += (list.empty() ? "" : ", ") + item;
}

} // namespace

std::string inPrecision(const Precision& precision)
{
    const std::string text = precisionText(precision);
    return (text.find(',') == std::string::npos ? "in " : "with ") + text;
}

bool isSamePass(const Workload& a, const Workload& b)
{
    Workload alike = a;
    alike.precision = b.precision;
    return alike == b;
}

std::string ownWorkloads(const Workload& first, std::span<const ComparedDesign> others)
{
    std::string names;
    for (const ComparedDesign& other : others) {
        if (!isSamePass(first, other.scenario.workload)) {
            addItem(names, other.name);
        }
    }
    return names.empty() ? "" : "with a workload of its own: " + names;
}

std::string ownPrecisions(const Precision& first, std::span<const ComparedDesign> others)
{
    std::string designs;
    for (const ComparedDesign& other : others) {
        const Precision& own = other.scenario.workload.precision;
        if (own != first) {
            addItem(designs, other.name + " " + inPrecision(own));
        }
    }
    return designs;
}

} // namespace flopsmith
