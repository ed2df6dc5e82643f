import type { JsonObject } from '../canonical/node.js';
import { isObject } from './json.js';

/** A model as lists of `object: "list"` have it [R §1.4], [H §1.3]. */
export type ListedModel = {
  readonly id: string;
  readonly owner: string;
  readonly displayName?: string;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly inputLimit?: number;
  readonly outputLimit?: number;
};

/** One entry of a list. The vendor's have no figures; these are called as most servers call them that have some. */
export type ModelEntry = {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  /** The window twice, as clients of OpenRouter, Groq and Moonshot read it, and as those of vLLM do. */
  readonly context_length?: number;
  readonly max_model_len?: number;
  readonly max_output_tokens?: number;
};

/** The entry for a model; what is unknown began in 1970. */
export function encodeModelEntry(model: ListedModel): ModelEntry {
  const { id, owner, createdAt = 0, inputLimit, outputLimit } = model;
  return {
    id,
    object: 'model',
    created: createdAt,
    owned_by: owner,
    ...(inputLimit !== undefined && { context_length: inputLimit, max_model_len: inputLimit }),
    ...(outputLimit !== undefined && { max_output_tokens: outputLimit }),
  };
}

/** The model of an entry; undefined for a node that names none. */
export function decodeModelEntry(node: unknown, owner: string): ListedModel | undefined {
  if (!isObject(node) || typeof node.id !== 'string') return undefined;
  const input = limit(node, INPUT);
  const output = limit(node, OUTPUT);
  const title = [node.display_name, node.name].find((text) => typeof text === 'string' && text !== '');
  return {
    id: node.id,
    owner,
    ...(typeof title === 'string' && title !== node.id && { displayName: title }),
    ...(typeof node.created === 'number' && node.created > 0 && { createdAt: node.created }),
    ...(input !== undefined && { inputLimit: input }),
    ...(output !== undefined && { outputLimit: output }),
  };
}

type Place = readonly [key: string, within?: string];

/**
 * Where servers tell the window of a model, and the most that it generates, nearest to what runs first: the provider that serves it
 * (OpenRouter), vLLM and SGLang, LiteLLM, others, what llama.cpp was trained with.
 */
const INPUT: readonly Place[] = [
  ['context_length', 'top_provider'],
  ['max_input_tokens'],
  ['max_model_len'],
  ['context_length'],
  ['context_window'],
  ['max_context_length'],
  ['n_ctx_train', 'meta'],
];
const OUTPUT: readonly Place[] = [
  ['max_completion_tokens', 'top_provider'],
  ['max_output_tokens'],
  ['max_completion_tokens'],
];

function limit(node: JsonObject, places: readonly Place[]): number | undefined {
  for (const [key, within] of places) {
    const holder = within === undefined ? node : node[within];
    const told = isObject(holder) ? tokenLimit(holder[key]) : undefined;
    if (told !== undefined) return told;
  }
  return undefined;
}

/** Above it a number is no limit of any model, but a word for none. */
const MOST_TOKENS = 1_000_000_000;

/** A number of tokens that a host tells; undefined for what can be none, whatever it is. */
export function tokenLimit(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_TOKENS ? value : undefined;
}

/** The models of a list, which has one page, and at some hosts no object around it; undefined for a body that is none. */
export function decodeModelList(body: unknown, owner: string): ListedModel[] | undefined {
  const data = isObject(body) ? body.data : body;
  return Array.isArray(data) ? data.flatMap((node) => decodeModelEntry(node, owner) ?? []) : undefined;
}
