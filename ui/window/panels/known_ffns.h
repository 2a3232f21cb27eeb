// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/results/learned_claims.h"
#include "ui/inspector/ffn_foot.h"

#include <QObject>

#include <optional>

namespace flopsmith::ui {

class ChartFeed;
class Document;
class Inspector;

/// Tells the inspector how long the FFN of the selected blocks takes beside a dense one of the same
/// model, where both are measured, and what the lab that comes with the program says of its kind.
class KnownFfns : public QObject
{
public:
    KnownFfns(const Document& document, const ChartFeed& feed, Inspector& inspector);

private:
    FfnFacts factsOf(const FfnSpec& ffn, const FfnSpec& dense);
    QString timeOf(const FfnSpec& ffn, const FfnSpec& dense) const;
    const LearnedKinds& learned();

    const ChartFeed& m_feed;
    std::optional<LearnedKinds> m_learned; ///< made on first use
};

} // namespace flopsmith::ui
