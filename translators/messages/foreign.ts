import { dropForeign } from '../adapt/losses.js';
import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Instruction, Turn } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { limitMarks } from './cache.js';
import { encodePart } from './content.js';
import { declareTools } from './declare.js';
import { DIALECT } from './nodes.js';
import { planOutput } from './output.js';
import { encodeSettings, refuseForeignState } from './settings.js';
import { planThinking } from './thinking-plan.js';

/** A request of another dialect, arranged for this one, as a body. Losses go to the context. */
export function printForeign(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  refuseForeignState(request);
  const declared = declareTools(request, context);
  const thinking = planThinking(request, declared.choice, context);
  const output = planOutput(request, thinking.forces, context);
  for (const node of [request.output, request.reasoning, request.toolChoice]) {
    if (node !== undefined) dropForeign(node, DIALECT, context.losses);
  }
  for (const turn of request.turns) {
    if (turn.role === 'instruction' && turn.authority === 'developer') reportAuthority(turn, context.losses);
  }
  const messages = request.turns.map((turn) => encodeTurn(turn, output.closesCitations));
  const system = encodeSystem(request, output.instruction, context);
  const out: JsonObject = { model: request.model, max_tokens: thinking.maxTokens, messages };
  if (system !== undefined) out.system = system;
  if (declared.tools.length > 0) out.tools = declared.tools;
  else if (output.tool !== undefined) {
    out.tools = [output.tool];
    out.tool_choice = { type: 'tool', name: output.tool.name, disable_parallel_tool_use: true };
  }
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

function reportAuthority({ src }: Turn | Instruction, losses: Losses): void {
  losses.add(src?.ptr ?? '', 'instruction.authority', 'moved', 'developer and system speak with one voice');
}

/** One plain text is a string; several texts, or texts with marks, are blocks (translation.md 2.3). */
function encodeSystem(
  request: CanonicalRequest,
  extra: string | undefined,
  { losses }: EncodeRequestContext,
): string | JsonObject[] | undefined {
  const blocks: JsonObject[] = [];
  for (const instruction of request.instructions) {
    dropForeign(instruction, DIALECT, losses);
    const isBlank = instruction.parts.every((part) => part.kind === 'text' && part.text.trim() === '');
    if (instruction.authority === 'developer' && !isBlank) reportAuthority(instruction, losses);
    for (const part of instruction.parts) {
      dropForeign(part, DIALECT, losses);
      if (part.kind !== 'text') {
        throw new TranslationError('unsupported', 'instructions hold text only', { path: part.src?.ptr ?? '' });
      }
      if ((part.citations?.length ?? 0) > 0)
        losses.add(part.src?.ptr ?? '', 'part.citation', 'dropped', 'instructions cite nothing');
      if (part.text.trim() !== '') blocks.push(encodePart({ ...part, citations: undefined }, false));
    }
  }
  if (extra !== undefined) blocks.push({ type: 'text', text: extra });
  const [first] = blocks;
  if (first === undefined) return undefined;
  return blocks.length === 1 && first.cache_control === undefined ? String(first.text) : blocks;
}
