# SPDX-License-Identifier: MIT
import torch


def sinusoidal(position, d):
    """[…, d]: sin(p·10000^(−2i/d)) at feature 2i of position p and its cosine at 2i + 1."""
    feature = torch.arange(d)
    pair = torch.div(feature, 2, rounding_mode="floor")
    angle = position[..., None].double() * 10000.0 ** (-2.0 * pair.double() / d)
    return torch.where(feature % 2 == 0, angle.sin(), angle.cos())
