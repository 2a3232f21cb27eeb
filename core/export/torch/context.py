# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F


class Context:
#if caches
    """What a pass knows of its tokens beside their features: positions, padding and earlier passes.

    S tokens are read now, and K are known with those of earlier passes, which the cache holds.
    """
#else
    """What a pass knows of its tokens beside their features: positions and padding. K is S."""
#endif

    def __init__(
        self,
        tokens,
        mask=None,
        positions=None,
        types=None,
        cache=None,  #? caches
        source=None,  #? seq2seq
        source_mask=None,  #? seq2seq
    ):
        batch, count = tokens.shape[:2]
        device = tokens.device
#if caches
        self.cache = cache
        self.layer = -1  # of the cache, the last one used
        self.source_layer = -1  #? seq2seq
        earlier = 0 if cache is None else cache.get_seq_length()
#else
        earlier = 0
#endif
        name = "attention_mask"  #? not seq2seq
        name = "attention_mask" if source is None else "decoder_attention_mask"  #? seq2seq
        self.mask = checked_mask(mask, batch, earlier + count, name)  # [B, K]
        if positions is None and self.mask is not None:
            positions = (self.mask.long().cumsum(-1) - 1).clamp(min=0)[:, earlier:]
        elif positions is None:
            positions = torch.arange(earlier, earlier + count, device=device)[None]
        self.positions = positions  # [B or 1, S]
        self.exact_positions = positions.to("cpu", torch.float64)
        self.types = 0 if types is None else types
        query = torch.arange(earlier, earlier + count, device=device)
        key = torch.arange(earlier + count, device=device)
        self.offset = key[None, :] - query[:, None]  # from the query to the key, [S, K]
#if caches and not stores
        nothing = torch.zeros(batch, 1, count, 1, device=device)
        self.with_earlier(nothing, nothing)  # no part stores anything, but the cache counts tokens
#endif
#if seq2seq
        self.source = source  # [B, S_src, d]
        if source is not None:
            self.source_mask = checked_mask(source_mask, batch, source.shape[1], "attention_mask")
#endif
#if caches

    def with_earlier(self, k, v):
        """[B, heads, S, h] → [B, heads, K, h]: keys and values after those of earlier passes."""
        if self.cache is None:
            return k, v
        self.layer += 1
        cache = getattr(self.cache, "self_attention_cache", self.cache)
        while len(cache.layers) <= self.layer:  # parts of a block that store something of their own
            cache.layers.append(DynamicLayer())
        return cache.update(k, v, self.layer)
#endif
#if seq2seq

    def of_source(self, keys_and_values):
        """Those of the encoder's output."""  #? not caches
        """Those of the encoder's output, computed by the first pass alone."""  #? caches
#if caches
        self.source_layer += 1
        if self.cache is None:
            return keys_and_values(self.source)
        cache = self.cache.cross_attention_cache
        if not self.cache.is_updated.get(self.source_layer):
            cache.update(*keys_and_values(self.source), self.source_layer)
            self.cache.is_updated[self.source_layer] = True
        stored = cache.layers[self.source_layer]
        return stored.keys, stored.values
#else
        return keys_and_values(self.source)
#endif

    def masked_source(self, scores):
        """Scores [B, H, S, S_src] without the encoder's padding."""
        if self.source_mask is None:
            return scores
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(~self.source_mask[:, None, None], lowest)
#endif

    def masked(self, scores, unseen=None):
        """Scores [B, H, S, K] without what is unseen and without padding.

        Padding sees others, so that no row is empty; nothing reads what it becomes.
        """
        lowest = torch.finfo(scores.dtype).min
        if unseen is not None:
            scores = scores.masked_fill(unseen, lowest)
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask[:, None, None], lowest)
        return scores

    def without_padding(self, x):
        """[B, S, d] with zeros in the place of padding, for what goes from token to token."""
        if self.mask is None:
            return x
        return x.masked_fill(~self.mask[:, -x.shape[1] :, None], 0.0)

    def before(self, x):
        """[B, S, d]: the features of the token before each, zeros before the first of a sequence."""
        count, x = x.shape[1], x[:, None]
        x, _ = self.with_earlier(x, x[..., :1])  # [B, 1, K, d]  #? caches
        if self.mask is not None:
            x = x.masked_fill(~self.mask[:, None, :, None], 0.0)
        return F.pad(x, (0, 0, 1, 0))[:, 0, -count - 1 : -1]

    def first(self, x):
        """[B, d]: the first token of each sequence."""
        if self.mask is None:
            return x[:, 0]
        first = self.mask.long().argmax(dim=-1)  # of equal ones the first
        return x[torch.arange(len(x), device=x.device), first]


def checked_mask(mask, batch, tokens, name):
    """Which tokens are no padding, [batch, tokens]; None if all are."""
    if mask is None:
        return None
    if mask.shape != (batch, tokens):
        raise ValueError(
            f"{name} has the shape {list(mask.shape)}; expected [{batch}, {tokens}]: "
            "1 for each token, also of earlier passes, and 0 for padding"
        )
    mask = mask.to(torch.bool)
    return None if bool(mask.all()) else mask
