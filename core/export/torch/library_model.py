# SPDX-License-Identifier: MIT
import torch
import torch.nn.functional as F
from torch import nn
from transformers import GenerationMixin, PreTrainedModel
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput

from .configuration_flopsmith import FlopsmithConfig


#if losses
def loss_of(logits, labels, items):
    """Mean of the cross entropy over labels other than -100; ``items`` counts those of a whole step."""
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32)).flatten(0, -2)
    labels = labels.to(logits.device).flatten()
    loss = F.cross_entropy(logits, labels, reduction="sum")  # which passes over -100
    return loss / ((labels != -100).sum() if items is None else items)


#elif classifier
def loss_of(logits, labels, items):
    """Of classes: cross entropy of whole labels, else that of a yes or no for each class.

    Of one class: the squared difference. A mean; ``items`` counts the labels of a whole step.
    """
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    labels = labels.to(logits.device)
    items = labels.numel() if items is None else items
    if logits.shape[-1] == 1:
        return F.mse_loss(logits.flatten(), labels.flatten().to(logits.dtype), reduction="sum") / items
    if labels.is_floating_point():
        return F.binary_cross_entropy_with_logits(logits, labels, reduction="sum") / items
    return F.cross_entropy(logits, labels.flatten(), reduction="sum") / items


#endif
#if seq2seq
class Encoder(nn.Module):
    """The encoder of the model as the library calls it by itself; its tensors are the model's."""

    main_input_name = "input_ids"

    def __init__(self, model):
        super().__init__()
        self.model = [model]  # a list hides the model from the list of parameters

    def forward(self, input_ids, attention_mask=None, **options):  # of outputs, there is one
        context = Context(input_ids, attention_mask)
        return BaseModelOutput(last_hidden_state=self.model[0].encode(input_ids, context))


#endif
#if caches
# How this version of the library calls the cache of an output.
CACHE = "cache" if "cache" in __OUTPUT__.__dataclass_fields__ else "past_key_values"


#endif
class __NAME__(__BASES__):
    """The model as the Hugging Face library calls it."""

    config_class = FlopsmithConfig
    base_model_prefix = "model"
    main_input_name = "__MAIN__"
    accepts_loss_kwargs = True  # num_items_in_batch  #? losses or classifier

    def __init__(self, config):
        super().__init__(config)
        self.model = Model()
        self.encoder = Encoder(self.model)  #? seq2seq
        self.post_init()

    def _init_weights(self, module):
        pass  # the parts draw their own
#if not images

    def get_input_embeddings(self):
        return self.model.embedding.tokens

    def set_input_embeddings(self, table):
        self.model.embedding.tokens = table
#endif
#if seq2seq

    def get_encoder(self, *modality):
        return self.encoder

    def prepare_decoder_input_ids_from_labels(self, labels):
        """The labels moved by one place, after the token that begins every output."""
        start = labels.new_full((len(labels), 1), self.config.decoder_start_token_id)
        before = labels[:, :-1]
        return torch.cat([start, before.masked_fill(before == -100, self.config.pad_token_id)], dim=1)
#endif
#if caches

    def cache_for(self, cache, use_cache):
        """The cache that a pass fills, or None."""
        if use_cache is None:
            use_cache = self.config.use_cache and not self.training
        if not use_cache:
            return None
        cache = DynamicCache() if cache is None else cache
#if seq2seq
        if not isinstance(cache, EncoderDecoderCache):
            cache = EncoderDecoderCache(cache, DynamicCache())
#endif
        return cache
#endif

    def forward(
        self,
        __INPUT__,
        attention_mask=None,  #? not images
        position_ids=None,  #? not images and not seq2seq
        token_type_ids=None,  #? token_types
        decoder_input_ids=None,  #? seq2seq
        decoder_attention_mask=None,  #? seq2seq
        decoder_position_ids=None,  #? seq2seq
        encoder_outputs=None,  #? seq2seq
        labels=None,  #? losses or classifier
        cache=None,  #? caches
        past_key_values=None,  # what versions before 5.24 call it  #? caches
        use_cache=None,  #? caches
        logits_to_keep=0,  #? caches
        num_items_in_batch=None,  #? losses or classifier
        return_dict=None,
    ):
#if caches
        cache = self.cache_for(past_key_values if cache is None else cache, use_cache)
#endif
#if seq2seq
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_ids, attention_mask)
        if decoder_input_ids is None and labels is not None:  #? losses
            decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)  #? losses
        context = Context(
            decoder_input_ids,
            decoder_attention_mask,
            decoder_position_ids,
            cache=cache,  #? caches
            source=encoder_outputs[0],
            source_mask=attention_mask,
        )
        outputs = self.model(decoder_input_ids, context)  #? not caches
        outputs = self.model(decoder_input_ids, context, logits_to_keep)  #? caches
#elif images
        outputs = self.model(pixel_values)
#else
        context = Context(
            input_ids,
            attention_mask,
            position_ids,
            types=token_type_ids,  #? token_types
            cache=cache,  #? caches
        )
        outputs = self.model(input_ids, context)  #? not caches
        outputs = self.model(input_ids, context, logits_to_keep)  #? caches
#endif
#if shifts
        loss = None
        if labels is not None:  # each token's outputs are compared with the next token
            loss = loss_of(outputs[:, :-1], labels[:, 1:], num_items_in_batch)
#elif losses or classifier
        loss = None if labels is None else loss_of(outputs, labels, num_items_in_batch)
#endif
        result = __OUTPUT__(
            loss=loss,  #? losses or classifier
            __FIELD__=outputs,
            encoder_last_hidden_state=encoder_outputs[0],  #? seq2seq
        )
        if cache is not None:  #? caches
            result[CACHE] = cache  #? caches
        return result.to_tuple() if return_dict is False else result
