import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { limitMarks } from './cache.js';
import { encodePart } from './content.js';
import { declareTools } from './declare.js';
import { planOutput } from './output.js';
import { encodeSettings, refuseForeignState } from './settings.js';
import { planThinking } from './thinking-plan.js';

/** A request of another dialect, arranged for this one, as a body. Losses go to the context. */
export function printForeign(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  refuseForeignState(request);
  const declared = declareTools(request, context);
  const output = planOutput(request, context);
  const thinking = planThinking(request, declared.choice, context);
  const messages = request.turns.map((turn) => encodeTurn(turn, output.closesCitations));
  const system = encodeSystem(request, output.instruction, context);
  const out: JsonObject = { model: request.model, max_tokens: thinking.maxTokens, messages };
  if (system !== undefined) out.system = system;
  if (declared.tools.length > 0) out.tools = declared.tools;
  if (declared.servers.length > 0) out.mcp_servers = declared.servers;
  if (thinking.choice !== undefined) out.tool_choice = thinking.choice;
  if (thinking.thinking !== undefined) out.thinking = thinking.thinking;
  const config = {
    ...(thinking.effort && { effort: thinking.effort }),
    ...(output.format && { format: output.format }),
  };
  if (Object.keys(config).length > 0) out.output_config = config;
  encodeSettings(out, request, thinking.on, context);
  limitMarks(out, request, context);
  if (request.stream) out.stream = true;
  return out;
}

function encodeTurn(turn: Turn, closesCitations: boolean): JsonObject {
  const role = turn.role === 'instruction' ? 'system' : turn.role;
  const only = turn.parts.length === 1 ? turn.parts[0] : undefined;
  if (only?.kind === 'text' && only.cache === undefined && only.citations === undefined) {
    return { role, content: only.text };
  }
  const parts = closesCitations ? turn.parts.map(uncited) : turn.parts;
  return { role, content: parts.map((part) => encodePart(part, false)) };
}

/** Citations and a schema for the answer exclude each other [M §2.8]. */
function uncited(part: Part): Part {
  if (part.kind === 'result') return { ...part, parts: part.parts.map((child) => uncited(child) as typeof child) };
  const citable =
    part.kind === 'media' || part.kind === 'textdoc' || part.kind === 'searchResult' ? part.citable : undefined;
  return citable === true ? ({ ...part, citable: false } as Part) : part;
}

/** One plain text is a string; several texts, or texts with marks, are blocks (translation.md 2.3). */
function encodeSystem(
  request: CanonicalRequest,
  extra: string | undefined,
  { losses }: EncodeRequestContext,
): string | JsonObject[] | undefined {
  const blocks: JsonObject[] = [];
  for (const instruction of request.instructions) {
    if (instruction.authority === 'developer') {
      losses.add(
        instruction.src?.ptr ?? '',
        'instruction.authority',
        'moved',
        'developer and system speak with one voice',
      );
    }
    for (const part of instruction.parts) {
      if (part.kind !== 'text') {
        throw new TranslationError('unsupported', 'instructions hold text only', { path: part.src?.ptr ?? '' });
      }
      if (part.text.trim() !== '') blocks.push(encodePart({ ...part, citations: undefined }, false));
    }
  }
  if (extra !== undefined) blocks.push({ type: 'text', text: extra });
  const [first] = blocks;
  if (first === undefined) return undefined;
  return blocks.length === 1 && first.cache_control === undefined ? String(first.text) : blocks;
}
