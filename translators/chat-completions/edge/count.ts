import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool } from '../../canonical/tools.js';
import type { CountTokens } from '../../dialect.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest } from '../request/decode.js';

/**
 * No service of this dialect counts tokens [H §1.4]: a host estimates them. A count request is a create request, and a
 * count is told as an answer tells it.
 */
export const count: CountTokens = {
  decodeRequest: (body, context) => decodeRequest(body, { ...context, counting: true }),
  encodeRequest: ({ body }) => body,
  decodeResponse() {
    throw new TranslationError('upstream', 'the backend did not answer with a token count', { dialect: DIALECT });
  },
  encodeResponse: ({ input }) => ({ usage: { prompt_tokens: input } }),
};

/** Characters that make a token, about, and tokens of a picture or a page. */
const CHARACTERS = 4;
const MEDIA = 1500;

/** A cheap guess at the input tokens of a request, for the beginning of a stream. No tokenizer runs here. */
export function estimateInput(request: CanonicalRequest | undefined): number {
  if (request === undefined) return 0;
  let characters = 0;
  for (const instruction of request.instructions) characters += lengthOf(instruction.parts);
  for (const turn of request.turns) characters += lengthOf(turn.parts);
  for (const tool of request.tools) characters += toolLength(tool);
  return Math.ceil(characters / CHARACTERS);
}

function lengthOf(parts: readonly Part[]): number {
  let sum = 0;
  for (const part of parts) sum += partLength(part);
  return sum;
}

function partLength(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text.length;
    case 'media':
      return MEDIA * CHARACTERS;
    case 'textdoc':
    case 'searchResult':
    case 'result':
      return lengthOf(part.parts);
    case 'call':
      return (part.args.text ?? JSON.stringify(part.args.value ?? {})).length + part.name.length;
    default:
      return 0;
  }
}

function toolLength(tool: Tool): number {
  if (tool.kind !== 'function') return 0;
  return tool.name.length + (tool.description?.length ?? 0) + JSON.stringify(tool.schema ?? {}).length;
}
