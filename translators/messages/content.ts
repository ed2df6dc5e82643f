import type { HandoverPart, Part, TextPart, ToolChangePart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { decodeToolResult, decodeToolUse, encodeOwnToolUse, encodeResult, opaque } from './calls.js';
import { decodeCitations, encodeOwnCitations } from './citations.js';
import {
  decodeMcpToolUse,
  decodeServerResult,
  decodeServerToolUse,
  encodeOwnHostedCall,
  encodeOwnHostedResult,
  isServerResult,
} from './hosted.js';
import {
  decodeDocument,
  decodeImage,
  decodeSearchResult,
  encodeMedia,
  encodeSearchResult,
  encodeTextDoc,
} from './media.js';
import { check, decodeCache, finish, invalid, keep, keysOf, type Mutable, stow } from './nodes.js';
import { decodeCompaction, decodeRedacted, decodeThinking, encodeCompaction, encodeOwnReasoning } from './reasoning.js';
import type { Scope } from './scope.js';
import { decodeTool } from './tools.js';
import * as wire from './wire.js';

const TEXT = keysOf(wire.text);
const TOOL_CHANGE = keysOf(wire.toolChange);

/** Roles of a message, and `answer` for what a service returns. */
export type Speaker = 'user' | 'assistant' | 'system' | 'answer';

type Decode = (node: JsonObject, ptr: string, scope: Scope) => Part;

/** Who may say a block of a type, where the service is strict about it [M §3.7], and how it is read. */
const BLOCKS: Readonly<Record<string, { readonly only?: 'user' | 'assistant'; readonly decode: Decode }>> = {
  text: { decode: decodeText },
  image: { decode: decodeImage },
  document: { decode: (node, ptr, scope) => decodeDocument(node, ptr, nestedIn(scope)) },
  search_result: { decode: (node, ptr, scope) => decodeSearchResult(node, ptr, nestedIn(scope)) },
  thinking: { only: 'assistant', decode: decodeThinking },
  redacted_thinking: { only: 'assistant', decode: decodeRedacted },
  tool_use: { only: 'assistant', decode: (node, ptr, scope) => decodeToolUse(node, ptr, scope) },
  tool_result: { only: 'user', decode: (node, ptr, scope) => decodeToolResult(node, ptr, nestedIn(scope)) },
  server_tool_use: { only: 'assistant', decode: decodeServerToolUse },
  mcp_tool_use: { only: 'assistant', decode: decodeMcpToolUse },
  compaction: { decode: decodeCompaction },
  fallback: { decode: (node, ptr): HandoverPart => ({ kind: 'handover', fields: node, src: { ptr } }) },
  tool_addition: { decode: decodeToolChange },
  tool_removal: { decode: decodeToolChange },
};

/** One block as one part. Throws TranslationError for a known block with malformed fields or in the wrong turn. */
export function decodeBlock(node: unknown, ptr: string, speaker: Speaker, scope: Scope): Part {
  if (!isObject(node)) throw invalid(ptr, 'expected a content block');
  const { type } = node;
  if (typeof type !== 'string') throw invalid(`${ptr}/type`, 'field required');
  const known = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (known === undefined) return isServerResult(type) ? decodeServerResult(node, ptr, scope) : opaque(node, ptr);
  if (known.only !== undefined && speaker !== 'answer' && known.only !== speaker) {
    throw invalid(ptr, `${type} blocks can only be in ${known.only} messages`);
  }
  return known.decode(node, ptr, scope);
}

/** Blocks inside a result, a document or a search hit. */
function nestedIn(scope: Scope): (node: unknown, ptr: string) => Part {
  return (node, ptr) => decodeBlock(node, ptr, 'answer', scope);
}

function decodeText(node: JsonObject, ptr: string): TextPart {
  const block = check(wire.text, node, ptr);
  const part: Mutable<TextPart> = { kind: 'text', text: block.text, ...keep(node, TEXT, ptr) };
  const cache = decodeCache(block.cache_control);
  if (cache !== undefined) part.cache = cache;
  if (block.citations !== undefined && block.citations !== null) {
    const { citations, whole } = decodeCitations(block.citations, `${ptr}/citations`);
    part.citations = citations;
    if (!whole) part.ext = stow({ src: { ptr }, ext: part.ext }, 'citations', block.citations).ext;
  }
  return part;
}

/** Tools that appear or disappear in mid-history. References to declared tools stay what only this dialect knows. */
function decodeToolChange(node: JsonObject, ptr: string): Part {
  const { type, tool, cache_control } = check(wire.toolChange, node, ptr);
  const removed = type === 'tool_removal' && tool.type === 'tool_reference' ? tool.name : undefined;
  const defined = type === 'tool_addition' && 'input_schema' in tool;
  if (typeof removed !== 'string' && !defined) return opaque(node, ptr);
  const part: Mutable<ToolChangePart> = {
    kind: 'toolChange',
    added: defined ? [decodeTool(tool, `${ptr}/tool`)] : [],
    removed: typeof removed === 'string' ? [removed] : [],
    ...stow(keep(node, TOOL_CHANGE, ptr), 'tool', tool),
  };
  const cache = decodeCache(cache_control);
  if (cache !== undefined) part.cache = cache;
  return part;
}

/**
 * A part as the block that stands for it. `own` parts are printed as they came; others have passed fitPart or stand in an
 * answer, where they are shown by the encoder of answers.
 */
export function encodePart(part: Part, own: boolean): JsonObject {
  switch (part.kind) {
    case 'text':
      return encodeText(part, own);
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'media':
      return encodeMedia(part, own);
    case 'textdoc':
      return encodeTextDoc(part, own, (child) => encodePart(child, own));
    case 'searchResult':
      return encodeSearchResult(part, own, (child) => encodePart(child, own));
    case 'call':
      return finish(encodeOwnToolUse(part), part, own);
    case 'result':
      return finish(
        encodeResult(
          part,
          own,
          part.parts.map((child) => encodePart(child, own)),
        ),
        part,
        own,
      );
    case 'hostedCall':
      return finish(encodeOwnHostedCall(part), part, own);
    case 'hostedResult':
      return finish(encodeOwnHostedResult(part), part, own);
    case 'reasoning':
      return encodeOwnReasoning(part);
    case 'compaction':
      return encodeCompaction(part);
    case 'handover':
      return part.fields;
    case 'opaque':
      return part.raw;
    case 'toolChange':
      return finish({ type: part.removed.length > 0 ? 'tool_removal' : 'tool_addition' }, part, own);
    case 'ref':
    case 'approval':
      throw new TypeError(`a ${part.kind} part has no block in this dialect`);
  }
}

function encodeText(part: TextPart, own: boolean): JsonObject {
  const out: JsonObject = { type: 'text', text: part.text };
  const citations = encodeOwnCitations(part);
  if (citations !== undefined && (own || citations.length > 0)) out.citations = citations;
  return finish(out, part, own);
}
