// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layer/variant_info.h"
#include "core/model/model.h"
#include "ui/document/document.h"
#include "ui/document/scenario_edit.h"

#include <QMimeData>
#include <QString>

#include <memory>
#include <variant>
#include <vector>

namespace flopsmith::ui {

enum class PaletteKind { mixer, ffn, stage };

/// A component that can be put into a block: a token mixer or FFN that replaces the block's own, or
/// an FFN as a further stage.
struct PaletteEntry
{
    PaletteKind kind = PaletteKind::ffn;
    QString key; ///< "ffn/spectral": in drags and object names
    QString title;
    QString help; ///< the formula, and a sentence about it
    const Component* component = nullptr;
    std::variant<MixerSpec, FfnSpec> spec;
    QStringList names{}; ///< other names by which it is found: "moe", "UltraEfficientSparseFFN"
};

/// One entry per registered variant and use, mixers first.
const std::vector<PaletteEntry>& paletteEntries();
const PaletteEntry* paletteEntry(const QString& key);

/// Whether the block has a mixer or FFN of this variant already, or the same composed FFN.
bool isInBlock(const Block& block, const PaletteEntry& entry);

/// What the variant is, with its formula and the paper it is from, as rich text.
QString whatIs(const PaletteEntry& entry);

/// Heading of the entries of a kind: "Token mixers".
QString paletteHeading(PaletteKind kind);

/// Whether the entry can be put into the run, or into all of them: cross-attention needs an encoder.
/// The last function says the same of a new last block.
bool canApply(const Scenario& scenario, const PaletteEntry& entry, int run);
bool canApply(const Scenario& scenario, const PaletteEntry& entry, const std::vector<int>& runs);
bool canAppend(const Scenario& scenario, const PaletteEntry& entry);

/// Why the entry cannot be put into a run, as a sentence; empty if it can.
QString whyNotApplied(const Scenario& scenario, const PaletteEntry& entry, int run);
QString whyNotApplied(const Scenario& scenario,
                      const PaletteEntry& entry,
                      const std::vector<int>& runs);
QString whyNotAppended(const Scenario& scenario, const PaletteEntry& entry);

/// Puts the entry into a run, or into its first block only, and selects that.
void applyEntry(Document& document, const PaletteEntry& entry, int run, Extent extent);

/// Puts the entry into all selected runs, as one undo step.
void applyEntry(Document& document, const PaletteEntry& entry);

/// Adds one block with the entry at the end of the stack.
void appendEntry(Document& document, const PaletteEntry& entry);

/// Inserts equal blocks with the entry behind a run, like the run's blocks, and selects them.
void insertEntry(Document& document, const PaletteEntry& entry, int run, int blocks = 1);

/// The same behind a pattern, like its last block; its own blocks stay as they are.
void insertEntryBehindPattern(Document& document,
                              const PaletteEntry& entry,
                              int pattern,
                              int blocks = 1);

/// The same at a gap between two blocks, as in core/present/stack/landing.h: like the block above
/// the gap, of whose run nothing else changes. The second function says why it cannot be done.
void insertEntryAt(Document& document, const PaletteEntry& entry, int gap);
QString whyNotInserted(const Scenario& scenario, const PaletteEntry& entry, int gap);

/// "Insert a block with Gated FFN between block 6 and 7".
QString insertionText(const Scenario& scenario, const PaletteEntry& entry, int gap);

std::unique_ptr<QMimeData> mimeData(const PaletteEntry& entry);
const PaletteEntry* paletteEntry(const QMimeData& mime);

} // namespace flopsmith::ui
