// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/entries/palette_entry.h"

#include <QAbstractButton>
#include <QScrollArea>

QT_BEGIN_NAMESPACE
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One row of the palette: a title next to its component's colour. A click or Enter puts the entry
/// into the selected run; it can also be dragged onto a block of the canvas.
class PaletteButton : public QAbstractButton
{
    Q_OBJECT

public:
    explicit PaletteButton(const PaletteEntry& entry, QWidget* parent = nullptr);

    const PaletteEntry& entry() const { return m_entry; }

    /// Shows two letters in place of the title.
    void setFolded(const QString& letters, bool folded);
    const QString& letters() const { return m_letters; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString shownText() const;
    void startDrag();

    const PaletteEntry& m_entry; // static lifetime
    QString m_letters; ///< in place of the title; empty: the title is shown
    QPoint m_pressed;
};

/// All components that can be put into a block, in sections; generated from the registry.
class Palette : public QScrollArea
{
    Q_OBJECT

public:
    explicit Palette(Document& document, QWidget* parent = nullptr);

    const std::vector<PaletteButton*>& buttons() const { return m_buttons; }

    /// Shows two letters per entry, without headings, or all titles.
    void setFolded(bool folded);

Q_SIGNALS:
    /// An entry could not be inserted; the reason.
    void refused(const QString& sentence);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addSection(QVBoxLayout& column, PaletteKind kind);
    void fitWidth();
    void take(const PaletteEntry& entry);
    void moveFocus(int by);

    Document& m_document;
    std::vector<PaletteButton*> m_buttons;
    std::vector<QWidget*> m_headings;
};

} // namespace flopsmith::ui
