import type { HandoverPart, Part, TextPart, ToolChangePart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { textPart } from '../../canonical/parts.js';
import { isObject } from '../../wire/json.js';
import { check, invalid, keep, keysOf, type Mutable, opaque, remember, type Scope, withExtra } from '../nodes.js';
import { decodeToolResult, decodeToolUse } from '../tools/calls.js';
import { decodeTool } from '../tools/decode.js';
import { decodeMcpToolUse, decodeServerResult, decodeServerToolUse } from '../tools/hosted/decode.js';
import { familyOfResult } from '../tools/hosted/families.js';
import * as wire from '../wire/index.js';
import { decodeCitations } from './citations.js';
import { decodeDocument, decodeImage, decodeSearchResult } from './media.js';
import { decodeCompaction, decodeRedacted, decodeThinking } from './reasoning.js';

const TEXT = keysOf(wire.text);
const TOOL_CHANGE = keysOf(wire.toolChange);

/** Roles of a message, and `answer` for what a service returns. */
type Speaker = 'user' | 'assistant' | 'system' | 'answer';

type Decode = (node: JsonObject, ptr: string, scope: Scope) => Part;

/** Who may send a block of a type, where the service is strict about it [M §3.7], and how it is read. */
const BLOCKS: ReadonlyMap<string, { readonly only?: 'user' | 'assistant'; readonly decode: Decode }> = new Map(
  Object.entries({
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
  }),
);

/** One block as one part. Throws TranslationError for a known block with malformed fields or in the wrong turn. */
export function decodeBlock(node: unknown, ptr: string, speaker: Speaker, scope: Scope): Part {
  if (!isObject(node)) throw invalid(ptr, 'expected a content block');
  const { type } = node;
  if (typeof type !== 'string') throw invalid(`${ptr}/type`, 'field required');
  const known = BLOCKS.get(type);
  if (known === undefined && familyOfResult(type) === undefined) return opaque(node, ptr);
  if (known?.only !== undefined && speaker !== 'answer' && known.only !== speaker) {
    throw invalid(ptr, `${type} blocks can only be in ${known.only} messages`);
  }
  return remember((known?.decode ?? decodeServerResult)(node, ptr, scope), node);
}

/** Blocks inside a result, a document or a search hit. */
function nestedIn(scope: Scope): (node: unknown, ptr: string) => Part {
  return (node, ptr) => decodeBlock(node, ptr, 'answer', scope);
}

function decodeText(node: JsonObject, ptr: string): TextPart {
  const block = check(wire.text, node, ptr);
  const { ext, src, cache } = keep(node, TEXT, ptr);
  const part = textPart(block.text, src, ext);
  part.cache = cache;
  if (block.citations !== undefined && block.citations !== null) {
    const { citations, whole } = decodeCitations(block.citations, `${ptr}/citations`);
    part.citations = citations;
    if (!whole) part.ext = withExtra({ src: { ptr }, ext: part.ext }, 'citations', block.citations).ext;
  }
  return part;
}

/** Tools that appear or disappear in mid-history. References to declared tools stay what only this dialect knows. */
function decodeToolChange(node: JsonObject, ptr: string): Part {
  const { type, tool } = check(wire.toolChange, node, ptr);
  const removed = type === 'tool_removal' && tool.type === 'tool_reference' ? tool.name : undefined;
  const defined = type === 'tool_addition' && 'input_schema' in tool;
  if (typeof removed !== 'string' && !defined) return opaque(node, ptr);
  const part: Mutable<ToolChangePart> = {
    kind: 'toolChange',
    added: defined ? [decodeTool(tool, `${ptr}/tool`)] : [],
    removed: typeof removed === 'string' ? [removed] : [],
    ...withExtra(keep(node, TOOL_CHANGE, ptr), 'tool', tool),
  };
  return part;
}
