// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/lens.h"
#include "core/model/presets.h"

#include <QAbstractListModel>

#include <vector>

namespace flopsmith::ui {

/// A part of the small picture of a stack.
struct CardBar
{
    const Component* component = nullptr;
    double share = 0.0; ///< of the stack's dearest part, 0 … 1
};

/// What a card shows of a model besides its name, for the default workload.
struct PresetFacts
{
    Count parameters = 0;
    Count flops = 0; ///< under the lens
    std::vector<CardBar> bars{}; ///< from the embedding to the head
};

PresetFacts presetFacts(const Model& model, LensId lens);

/// The presets as cards. Their facts are counted one after another by countNext(), so that a view
/// can be shown at once.
class PresetModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        figuresRole =
            Qt::UserRole, ///< QString: "124.4 M parameters · 291.6 GFLOPs"; empty at first
        noteRole, ///< QString
        factsRole, ///< PresetFacts
        searchRole, ///< QString: all that a filter looks through
        presetRole, ///< int: index into presets()
    };

    explicit PresetModel(LensId lens, QObject* parent = nullptr);

    /// Counts the facts of the first preset that has none. False if there is none left.
    bool countNext();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QString figuresOf(std::size_t row) const;
    QString accessibleTextOf(std::size_t row) const;

    LensId m_lens;
    std::vector<PresetFacts> m_facts; ///< of the first presets
};

} // namespace flopsmith::ui
