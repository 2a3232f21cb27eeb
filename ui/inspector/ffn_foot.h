// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/ffn.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <utility>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class ElidedLabel;

/// What is known of an FFN beside its counts. Empty texts are not known.
struct FfnFacts
{
    QString time{}; ///< beside the dense FFN, as measured: "54× faster"
    QString learning{}; ///< in a lab: "learns: no more than no FFN"
    QString source{}; ///< of both, for the tool tip
};

/// The foot of the inspector: the FFN of the selected blocks beside a dense one, by parameters, FLOPs,
/// measured time and learning. Hidden where no one FFN is selected.
class FfnFoot : public QWidget
{
    Q_OBJECT

public:
    explicit FfnFoot(QWidget* parent);

    void show(const Document& document);

    /// Tells what is known of the FFN and the dense one beside it.
    using FactsOf = std::function<FfnFacts(const FfnSpec& ffn, const FfnSpec& dense)>;
    void setFacts(FactsOf factsOf) { m_factsOf = std::move(factsOf); }

private:
    void showFacts(const FfnFacts& facts);

    ElidedLabel* m_caption;
    QLabel* m_parameters;
    QLabel* m_separator;
    QLabel* m_flops;
    ElidedLabel* m_facts;
    FactsOf m_factsOf;
};

} // namespace flopsmith::ui
