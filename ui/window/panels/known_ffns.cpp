// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels/known_ffns.h"

#include "core/base/text.h"
#include "ui/chart_pages/chart_feed.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/utf8.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

// Of one use, 0 without a measurement.
double secondsOf(const FfnSpec& ffn, const RunTimes& run)
{
    const std::size_t count = std::min(run.parts.size(), run.times.size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto* measured = std::get_if<FfnSpec>(&run.parts[i].operation.what);
        if (measured != nullptr && *measured == ffn && run.times[i].hasTime()) {
            return run.times[i].medianSeconds;
        }
    }
    return 0.0;
}

} // namespace

KnownFfns::KnownFfns(const Document& document, const ChartFeed& feed, Inspector& inspector)
    : QObject(&inspector)
    , m_feed(feed)
{
    FfnFoot& foot = inspector.foot();
    foot.setFacts([this](const FfnSpec& ffn, const FfnSpec& dense) { return factsOf(ffn, dense); });
    connect(&feed, &ChartFeed::updated, this, [&document, &foot] { foot.show(document); });
}

FfnFacts KnownFfns::factsOf(const FfnSpec& ffn, const FfnSpec& dense)
{
    FfnFacts facts{.time = timeOf(ffn, dense)};
    QStringList sources;
    if (!facts.time.isEmpty()) {
        sources << tr("Times measured on %1.").arg(m_feed.runTimes().device);
    }
    if (const LearnedClaim learned = this->learned().of(ffn);
        learned.verdict != LearnedVerdict::notTried && ffn != dense) {
        facts.learning = tr("learns: %1").arg(fromUtf8(learned.text));
        sources
            << fromUtf8(learned.sentence)
            << tr("Trained on %1; another width may learn otherwise.").arg(fromUtf8(learned.run));
    }
    facts.source = sources.join(QLatin1Char('\n'));
    return facts;
}

QString KnownFfns::timeOf(const FfnSpec& ffn, const FfnSpec& dense) const
{
    const double own = secondsOf(ffn, m_feed.runTimes());
    const double beside = secondsOf(dense, m_feed.runTimes());
    if (own <= 0.0 || beside <= 0.0 || ffn == dense) {
        return {};
    }
    return own <= beside ? tr("%1 faster").arg(fromUtf8(ratioText(beside / own)))
                         : tr("%1 slower").arg(fromUtf8(ratioText(own / beside)));
}

const LearnedKinds& KnownFfns::learned()
{
    if (!m_learned) {
        m_learned.emplace(shippedClaimsLog());
    }
    return *m_learned;
}

} // namespace flopsmith::ui
