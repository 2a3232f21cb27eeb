// SPDX-License-Identifier: MIT
#include "core/study/compare/comparison_times.h"

#include <algorithm>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

bool hasPassTime(const ComparedDesign& design)
{
    return design.measured && design.measured->time;
}

std::string joinedBy(const std::string& first, const char* between, const std::string& second)
{
    return first.empty() || second.empty() ? first + second : first + between + second;
}

// "gpt2 on this CPU, tiny on lab-gpu"
std::string placesText(std::span<const ComparedDesign> designs)
{
    std::string text;
    for (const ComparedDesign& design : designs) {
        if (hasPassTime(design)) {
            text = joinedBy(text, ", ", design.name + " on " + design.measured->device);
        }
    }
    return text;
}

template <class Holds>
std::string namesOf(std::span<const ComparedDesign> designs, const Holds& holds)
{
    std::string names;
    for (const ComparedDesign& design : designs) {
        names = joinedBy(names, ", ", holds(design) ? design.name : std::string());
    }
    return names;
}

/// Compares the measured times of designs.
class ComparedTimes
{
public:
    explicit ComparedTimes(std::span<const ComparedDesign> designs)
        : m_designs(designs)
    {
        for (const ComparedDesign& design : designs) {
            if (hasPassTime(design)) {
                ++m_timed;
                m_mixed = m_mixed || (m_timed > 1 && design.measured->device != m_device);
                m_device = design.measured->device;
            } else if (design.measured && m_device.empty()) {
                m_device = design.measured->device;
            }
        }
    }

    bool areMixed() const { return m_mixed; }

    std::string note() const
    {
        if (m_timed == 0) {
            return "not measured on " + m_device;
        }
        if (m_mixed) {
            return "measured on different devices and not compared: " + placesText(m_designs);
        }
        const std::string missing =
            namesOf(m_designs, [](const ComparedDesign& design) { return !hasPassTime(design); });
        const std::string rough = namesOf(m_designs, [](const ComparedDesign& design) {
            return hasPassTime(design) && !design.measured->time->settled;
        });
        return joinedBy(missing.empty() ? "" : "not measured on " + m_device + ": " + missing,
                        "; ",
                        rough.empty() ? "" : "not settled: " + rough);
    }

private:
    std::span<const ComparedDesign> m_designs;
    std::string m_device; ///< of the times; without any, the requested one
    int m_timed = 0;
    bool m_mixed = false;
};

} // namespace

std::optional<ComparedFigure> comparedTimes(std::span<const ComparedDesign> designs)
{
    const bool asked =
        std::any_of(designs.begin(), designs.end(), [](const ComparedDesign& design) {
            return design.measured.has_value();
        });
    if (!asked) {
        return std::nullopt;
    }
    const ComparedTimes times(designs);
    const Metric& time = metric(MetricId::time);
    ComparedFigure figure{.key = std::string(time.name),
                          .title = std::string(time.title),
                          .unit = std::string(time.unit),
                          .note = times.note()};
    for (const ComparedDesign& design : designs) {
        const bool isShown = hasPassTime(design) && !times.areMixed();
        figure.values.push_back(isShown ? std::optional<MetricValue>(design.measured->time->seconds)
                                        : std::nullopt);
    }
    return figure;
}

} // namespace flopsmith
