// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/log/lab_log.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace flopsmith {
struct Component;
}

namespace flopsmith::ui {

/// A part of the stack, and how strongly its weights are pulled.
struct StackPartNorm
{
    QString title; ///< "Attention"
    QString path; ///< "blocks[0]/attention"
    const Component* component = nullptr;
    double norm = 0.0;
    bool isThin = false; ///< a norm in a block: a thin bar without words
};

/// Parts within one frame: a block, or a part outside of the blocks.
struct PartFrame
{
    QString label; ///< of a block its number, from 1; else empty
    std::vector<StackPartNorm> parts;
};

/// The parts of a model as the frames of its stack, from its input to its output. `ffn` is what the
/// model has as FFN; a model that is an FFN alone has no blocks, and all its parts belong to that.
std::vector<PartFrame> partFrames(const std::vector<PartNorm>& parts, const FfnSpec& ffn);

/// Which parts of a model learn: its stack with a bar for each part, as long as the norm of its
/// gradients on a logarithmic scale, in the colour of its component. Norms of blocks have thin bars.
class PartStack : public QWidget
{
    Q_OBJECT

public:
    explicit PartStack(QWidget* parent = nullptr);

    void setParts(const std::vector<PartNorm>& parts, const FfnSpec& ffn);
    const std::vector<PartFrame>& frames() const { return m_frames; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Columns;
    Columns columns() const;
    int lineHeight() const;
    int heightOf(const StackPartNorm& part) const;
    int frameHeight(const PartFrame& frame) const;
    double shareOf(double norm) const;
    QRect mirrored(const QRect& place) const;
    void paintFrame(QPainter& painter, const PartFrame& frame, int top, const Columns& at) const;
    void paintPart(QPainter& painter, const StackPartNorm& part, int top, const Columns& at) const;
    void paintScale(QPainter& painter, int top) const;
    const StackPartNorm* partAt(int y) const;

    std::vector<PartFrame> m_frames;
    double m_max = 0.0; ///< of all norms
};

} // namespace flopsmith::ui
