"""Makes a model of 11 MB that real servers load: a folder as of Hugging Face, and a GGUF file beside it.

No weight of it is trained. Its layers do nothing, and its output matrix is a table: the class of the last token says what
comes next, so that it says the same at any temperature. Its texts are words of TEXTS; whether it talks, thinks or calls a
tool is said by the last token of the prompt, which `template.jinja` chooses. Where a grammar lets only JSON through, it comes
to an end of it.

usage: make.py FOLDER TEXTS...      needs numpy, tokenizers, safetensors, gguf
"""

import collections
import json
import pathlib
import re
import sys

import gguf
import numpy as np
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

CONTEXT = 32_768
WIDTH, HEADS, LAYERS = 256, 4, 2
# What does not follow has this probability.
NEVER = 1e-12
# How many words it says, and how many it goes round in where it talks without an end.
SAYS, GOES_ROUND = 24, 16

THOUGHTS = ["hmm", "maybe", "perhaps", "wait", "consider", "wonder", "suppose", "guess"]
END = "<|im_end|>"
SPECIAL = ["<|endoftext|>", "<|im_start|>", END, "<|say|>", "<|call|>", "<|ponder|>", "<|loop|>"]
# A call of each tool in pieces, each of them one token, so that what follows each is certain.
WEATHER = ["\n{\"name\": \"get_weather", '", "arguments": {"city": "', "Paris", '", "days": ', "2", "}}\n"]
# Two spaces: the token in front of another city has to be another.
TIME = ["\n{\"name\": \"get_time", '", "arguments": {"city":  "', "Rome", '"}}\n']
PIECES = ["<think>", "</think>", "<tool_call>", "</tool_call>", *WEATHER, *TIME, "\n", "city", "days"]


def make_tokenizer(text: str) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=3000, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator([text, (" " + " ".join(THOUGHTS)) * 3000], trainer)
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in PIECES if piece not in ("2", "\n")])
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
    return tokenizer


class Chain:
    """What follows what: by the last token, the probabilities of the next one. Tokens without a row share one."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self.tokenizer = tokenizer
        counted = collections.Counter(re.findall(r" [a-z]{3,}", text)).most_common(700)
        words = [word for word, _ in counted if len(self.ids(word)) == 1 and word.strip() not in THOUGHTS]
        # Where it stops at the word ` the`, it has said some before.
        words.remove(" the")
        round_ = [*words[SAYS : SAYS + GOES_ROUND // 2], " the", *words[SAYS + GOES_ROUND // 2 : SAYS + GOES_ROUND]]
        self.rows: dict[str, dict[str, float]] = {}
        self.follow(["<|say|>", *words[:SAYS], ".", END])
        self.follow(["<|loop|>", *round_, round_[0]])
        self.follow(["<|ponder|>", "<think>", *(" " + thought for thought in THOUGHTS), "</think>", "\n", words[0]])
        self.follow(["<|call|>", "<tool_call>", *WEATHER, "</tool_call>", END])
        self.follow([*TIME, "</tool_call>"])
        # A grammar may let nothing of this through: what it then lets through.
        for start in ("<|say|>", "<|call|>", "<|ponder|>", "<|loop|>"):
            self.rows[start] |= {"{": 0.02, "[": 0.01}
        self.rows["<tool_call>"] |= {TIME[0]: 0.01}
        self.rows["2"] |= {"}": 0.02, END: 0.01}
        self.rows["Rome"] |= {'"': 0.02, END: 0.01}
        self.rows |= {
            "{": {'"': 1},
            "[": {"{": 0.6, '"': 0.2, "]": 0.2},
            ":": {'"': 0.5, "2": 0.3, "{": 0.1, "[": 0.1},
            ",": {'"': 0.8, "{": 0.2},
            '"': {"city": 0.3, "days": 0.2, "Paris": 0.2, "Rome": 0.1, ":": 0.1, ",": 0.05, "}": 0.05},
            "city": {'"': 1},
            "days": {'"': 1},
            "}": {END: 0.5, "}": 0.2, "]": 0.2, ",": 0.1},
            "]": {END: 0.6, "}": 0.4},
        }
        self.others = {'"': 0.4, "}": 0.3, "]": 0.1, ":": 0.1, END: 0.1}

    def follow(self, tokens: list[str]) -> None:
        for token, following in zip(tokens, tokens[1:]):
            self.rows[token] = {following: 1}

    def ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def one(self, text: str) -> int:
        ids = self.ids(text)
        if len(ids) != 1:
            raise SystemExit(f"{text!r} is {len(ids)} tokens")
        return ids[0]


def make_weights(chain: Chain) -> dict[str, np.ndarray]:
    """An embedding is the class of its token; what a class makes of the output is the row of its tokens."""
    size, names = chain.tokenizer.get_vocab_size(), list(chain.rows)
    classes = np.zeros(size, int)
    logs = np.full((size, 1 + len(names)), np.log(NEVER))
    for at, (name, row) in enumerate([("", chain.others), *chain.rows.items()]):
        if name:
            classes[chain.one(name)] = at
        for token, share in row.items():
            logs[chain.one(token), at] = np.log(share / sum(row.values()))
    embedding = np.zeros((size, WIDTH), np.float32)
    embedding[np.arange(size), classes] = 1
    output = np.zeros((size, WIDTH), np.float32)
    # The last norm makes the class of an embedding as large as the root of its width.
    output[:, : 1 + len(names)] = (logs - logs.max(0)) / WIDTH**0.5
    random = np.random.default_rng(7)
    ones = np.ones(WIDTH, np.float32)
    weights = {"model.embed_tokens.weight": embedding, "model.norm.weight": ones, "lm_head.weight": output}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            weights[f"{at}{norm}.weight"] = ones
        for name in ("q", "k", "v"):
            weights[f"{at}self_attn.{name}_proj.weight"] = random.normal(0, 0.02, (WIDTH, WIDTH))
        for name in ("gate", "up"):
            weights[f"{at}mlp.{name}_proj.weight"] = random.normal(0, 0.02, (2 * WIDTH, WIDTH))
        # What would leave the layer is nothing.
        weights[f"{at}self_attn.o_proj.weight"] = np.zeros((WIDTH, WIDTH))
        weights[f"{at}mlp.down_proj.weight"] = np.zeros((WIDTH, 2 * WIDTH))
    return {name: np.ascontiguousarray(weight, np.float32) for name, weight in weights.items()}


def write_folder(folder: pathlib.Path, chain: Chain, weights: dict[str, np.ndarray], template: str) -> None:
    begin, end, pad = (chain.one(token) for token in ("<|im_start|>", END, "<|endoftext|>"))
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": WIDTH,
        "intermediate_size": 2 * WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "head_dim": WIDTH // HEADS,
        "vocab_size": chain.tokenizer.get_vocab_size(),
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "attention_bias": False,
        "dtype": "float32",
        "bos_token_id": begin,
        "eos_token_id": end,
        "pad_token_id": pad,
    }
    generation = {"bos_token_id": begin, "eos_token_id": [end], "pad_token_id": pad, "do_sample": True}
    tokens = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": CONTEXT,
        "bos_token": "<|im_start|>",
        "eos_token": END,
        "pad_token": "<|endoftext|>",
        "additional_special_tokens": SPECIAL,
        "clean_up_tokenization_spaces": False,
        "chat_template": template,
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    chain.tokenizer.save(str(folder / "tokenizer.json"))
    for name, value in (("config", config), ("generation_config", generation), ("tokenizer_config", tokens)):
        (folder / f"{name}.json").write_text(json.dumps(value, indent=1))
    (folder / "chat_template.jinja").write_text(template)


NAMES_OF_GGUF = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def write_gguf(file: pathlib.Path, chain: Chain, weights: dict[str, np.ndarray], template: str) -> None:
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(2 * WIDTH)
    writer.add_file_type(0)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_key_length(WIDTH // HEADS)
    writer.add_value_length(WIDTH // HEADS)
    names = {at: token for token, at in chain.tokenizer.get_vocab().items()}
    special = {chain.one(token) for token in SPECIAL}
    added = {chain.one(piece) for piece in PIECES if piece not in ("2", "\n")}
    kinds = [
        gguf.TokenType.CONTROL if at in special else gguf.TokenType.USER_DEFINED if at in added else gguf.TokenType.NORMAL
        for at in range(len(names))
    ]
    merges = json.loads(chain.tokenizer.to_str())["model"]["merges"]
    writer.add_vocab_size(len(names))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([names[at] for at in range(len(names))])
    writer.add_token_types([int(kind) for kind in kinds])
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_bos_token_id(chain.one("<|im_start|>"))
    writer.add_eos_token_id(chain.one(END))
    writer.add_pad_token_id(chain.one("<|endoftext|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(template)
    writer.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"])
    writer.add_tensor("output_norm.weight", weights["model.norm.weight"])
    writer.add_tensor("output.weight", weights["lm_head.weight"])
    for layer in range(LAYERS):
        for name, short in NAMES_OF_GGUF.items():
            writer.add_tensor(f"blk.{layer}.{short}.weight", weights[f"model.layers.{layer}.{name}.weight"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join(pathlib.Path(name).read_text(errors="ignore") for name in sys.argv[2:])
    template = (pathlib.Path(__file__).parent / "template.jinja").read_text()
    chain = Chain(make_tokenizer(text), text)
    weights = make_weights(chain)
    write_folder(folder, chain, weights, template)
    write_gguf(folder / "tiny.gguf", chain, weights, template)
    print(f"a model of {chain.tokenizer.get_vocab_size()} tokens in {folder}")


main()
