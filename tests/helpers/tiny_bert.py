"""A tiny model of the BERT architecture with random weights, saved as a user would have one. Needs transformers."""

import torch


def tiny_bert(folder, words):
    """Model and tokenizer of some words, in a folder."""
    import transformers

    folder.mkdir(exist_ok=True)
    every = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("\n".join(every) + "\n", encoding="utf8")
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24}
    config = transformers.BertConfig(vocab_size=len(every), max_position_embeddings=16, **sizes)
    with torch.random.fork_rng():
        torch.random.manual_seed(0)
        transformers.BertModel(config).save_pretrained(folder)
