// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/log/lab_log.h"

#include <QWidget>

#include <vector>

namespace flopsmith::ui {

/// Which parts of a model learn: a line for each with the norm of its gradients, as a bar on a
/// logarithmic scale.
class PartStack : public QWidget
{
    Q_OBJECT

public:
    explicit PartStack(QWidget* parent = nullptr);

    void setParts(const std::vector<PartNorm>& parts);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int lineHeight() const;
    double shareOf(double norm) const;

    std::vector<PartNorm> m_parts;
};

} // namespace flopsmith::ui
