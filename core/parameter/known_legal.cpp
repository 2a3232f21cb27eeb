// SPDX-License-Identifier: MIT
#include "core/parameter/known_legal.h"

#include <algorithm>

namespace flopsmith {
namespace {

using Part = ParameterScope::Part;

std::shared_ptr<const Scenario>& lastLegal()
{
    thread_local std::shared_ptr<const Scenario> legal;
    return legal;
}

} // namespace

Unjudged::Unjudged(const Scenario& scenario)
    : m_scenario(scenario)
    , m_legal(lastLegal())
{
    if (m_legal == nullptr || m_legal->model.runs.size() != scenario.model.runs.size()) {
        m_legal.reset();
        return;
    }
    const Model& legal = m_legal->model;
    const Model& model = scenario.model;
    m_isSameRun.resize(model.runs.size());
    std::transform(model.runs.begin(),
                   model.runs.end(),
                   legal.runs.begin(),
                   m_isSameRun.begin(),
                   [](const BlockRun& a, const BlockRun& b) { return a == b ? 1 : 0; });
    m_hasSameWidth = legal.dModel == model.dModel;
    m_hasSameHalves =
        legal.patterns == model.patterns && isSameIn({.part = Part::halves}, *m_legal, scenario);
    m_isSame = *m_legal == scenario;
}

bool Unjudged::needsVerdict(const Parameter& parameter) const
{
    if (m_legal == nullptr) {
        return true;
    }
    switch (parameter.scope.part) {
    case Part::scenario: return !m_isSame;
    case Part::halves: return !m_hasSameHalves;
    case Part::mixer:
    case Part::cross:
    case Part::ffn:
    case Part::block:
    case Part::run:
        return !m_hasSameWidth || m_isSameRun[static_cast<std::size_t>(parameter.scope.run)] == 0;
    default: return !isSameIn(parameter.scope, *m_legal, m_scenario);
    }
}

void rememberLegal(const Scenario& scenario)
{
    lastLegal() = std::make_shared<const Scenario>(scenario);
}

} // namespace flopsmith
