import type { JsonObject } from '../canonical/node.js';
import { isObject } from './json.js';

/** A model as lists of `object: "list"` have it [R §1.4], [H §1.3]. */
export type ListedModel = {
  readonly id: string;
  readonly owner: string;
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
  readonly context_length?: number;
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
    ...(inputLimit !== undefined && { context_length: inputLimit }),
    ...(outputLimit !== undefined && { max_output_tokens: outputLimit }),
  };
}

/** The model of an entry; undefined for a node that names none. */
export function decodeModelEntry(node: unknown, owner: string): ListedModel | undefined {
  if (!isObject(node) || typeof node.id !== 'string') return undefined;
  return {
    id: node.id,
    owner,
    ...(typeof node.created === 'number' && node.created > 0 && { createdAt: node.created }),
    ...limit('inputLimit', node, INPUT),
    ...limit('outputLimit', node, OUTPUT),
  };
}

/** Under which names servers tell the window of a model, and the most that it generates: vLLM and SGLang, LiteLLM, others. */
const INPUT = ['max_input_tokens', 'max_model_len', 'context_length', 'context_window', 'max_context_length'] as const;
const OUTPUT = ['max_output_tokens', 'max_completion_tokens'] as const;

function limit<Name extends string>(
  name: Name,
  node: JsonObject,
  keys: readonly string[],
): { readonly [_ in Name]?: number } {
  const value = keys.map((key) => node[key]).find((told) => typeof told === 'number' && told > 0);
  return (typeof value === 'number' ? { [name]: value } : {}) as { readonly [_ in Name]?: number };
}

/** The models of a list, which has one page, and at some hosts no object around it; undefined for a body that is none. */
export function decodeModelList(body: unknown, owner: string): ListedModel[] | undefined {
  const data = isObject(body) ? body.data : body;
  return Array.isArray(data) ? data.flatMap((node) => decodeModelEntry(node, owner) ?? []) : undefined;
}
