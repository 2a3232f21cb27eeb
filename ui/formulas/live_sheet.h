// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/formulas/symbol_handle.h"

#include <QTextBrowser>

#include <vector>

namespace flopsmith::ui {

class EditBurst;

/// A sheet of formulas whose marked symbols can be moved. Every occurrence of such a letter has a
/// handle for the mouse, its first one for the keyboard too.
class LiveSheet : public QTextBrowser
{
    Q_OBJECT

public:
    explicit LiveSheet(Document& document, QWidget* parent = nullptr);

    /// Shows the text and lets its marked letters be moved. A letter that is being dragged stays in
    /// the hand, whatever becomes of the text.
    void showLive(const QString& html, const std::vector<MovableSymbol>& symbols);

    /// The handles that are shown, in the order of the text.
    std::vector<SymbolHandle*> handles() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    /// A letter in the text.
    struct Place
    {
        QString name;
        int first = 0; ///< characters of the document
        int end = 0;
    };

    /// A handle over a letter.
    struct Placed
    {
        Place place;
        SymbolHandle* handle = nullptr;
    };

    std::vector<Place> places() const;
    QRect areaOf(const Place& place) const;
    SymbolHandle* handleFor(const MovableSymbol& symbol, int occurrence);
    void layHandles(const std::vector<MovableSymbol>& symbols);
    void hideOthers();
    void moveHandles();

    Document& m_document;
    EditBurst* m_burst;
    std::vector<Placed> m_placed;
    std::vector<SymbolHandle*> m_handles; ///< all that were ever needed
};

} // namespace flopsmith::ui
