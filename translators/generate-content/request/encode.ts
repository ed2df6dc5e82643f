import { adaptRequest, dropForeign } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Instruction, Turn } from '../../canonical/request.js';
import type { EncodedRequest, EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { isObject } from '../../wire/json.js';
import { senderOf, writerOf } from '../../wire/member-coders.js';
import { unsentOf } from '../../wire/unsent.js';
import { STAND_IN, signatureOf } from '../content/reasoning.js';
import { encodeInstructions, encodeOwnTurn, encodeTurn } from '../content/turns.js';
import { DIALECT, remembered } from '../nodes.js';
import { type EncodedToolChoice, encodeForeignToolChoice, encodeOwnToolChoice } from '../tools/choice.js';
import { encodeOwnTools, encodeTools } from '../tools/encode.js';
import { SHOWN } from './decode.js';
import { config, members, unsent } from './members.js';
import { encodeForeignOutput, encodeOwnOutput } from './output.js';
import { encodeForeignReasoningSettings, encodeOwnReasoningSettings } from './reasoning.js';
import type { Settled } from './settings.js';

const write = writerOf(members);
const writeConfig = writerOf(config);
const send = senderOf<Settled>(members);
const sendConfig = senderOf<Settled>(config);
const rest = unsentOf(unsent);

/**
 * Encodes a request. One that came from this dialect is encoded as it came; others are adapted to the profile first.
 * Throws `unsupported` where a translation would be wrong rather than poorer.
 */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = given;
  const body = given.source === DIALECT ? encodeOwn(given) : encodeForeign(given, context);
  return { body, model, stream };
}

function encodeOwn(request: CanonicalRequest): JsonObject {
  const form = remembered(request);
  if (form !== undefined) return { ...form };
  const { generationConfig, toolConfig, ...bag } = request.ext?.generateContent ?? {};
  const { toolChoice } = request;
  const settings: JsonObject = isObject(generationConfig) ? { ...generationConfig } : {};
  writeConfig(settings, request);
  Object.assign(settings, {
    ...(request.output !== undefined && encodeOwnOutput(request.output)),
    ...(request.reasoning !== undefined && { thinkingConfig: encodeOwnReasoningSettings(request.reasoning) }),
  });
  const tooling = {
    ...(isObject(toolConfig) && toolConfig),
    ...(request.at?.[SHOWN] !== undefined && { includeServerSideToolInvocations: true }),
    ...(toolChoice !== undefined && { functionCallingConfig: encodeOwnToolChoice(toolChoice) }),
  };
  const out: JsonObject = { ...bag };
  if (request.instructions.length > 0) out.systemInstruction = encodeInstructions(request.instructions, true);
  out.contents = request.turns.map(encodeOwnTurn);
  if (request.tools.length > 0) out.tools = encodeOwnTools(request.tools);
  if (Object.keys(tooling).length > 0) out.toolConfig = tooling;
  if (Object.keys(settings).length > 0) out.generationConfig = settings;
  write(out, request);
  return out;
}

/** Encodes a request of another dialect: adapted to this one, then field by field (translation.md 2). */
function encodeForeign(given: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  const request = adaptRequest(given, context);
  const tools = encodeTools(request, context);
  const choice = encodeForeignToolChoice(request, tools, context);
  const output = encodeForeignOutput(request.output, declaresFunctions(choice), context);
  const thinkingConfig = encodeForeignReasoningSettings(request, context);
  const instructions = foreignInstructions(request.instructions, context);
  const notes = output.note === undefined ? [] : [output.note];
  if (context.target.systemField) instructions.push(...notes.map(systemText));
  const toolConfig = encodeToolConfig(request, choice, context);
  const settled: Settled = { ...context, tools };
  const settings: JsonObject = {};
  if (tools.images) settings.responseModalities = ['TEXT', 'IMAGE'];
  if (tools.imageConfig !== undefined) settings.imageConfig = tools.imageConfig;
  sendConfig(settings, request, settled);
  Object.assign(settings, output.fields, thinkingConfig !== undefined && { thinkingConfig });
  const out: JsonObject = {};
  if (instructions.length > 0) out.systemInstruction = encodeInstructions(instructions, false);
  out.contents = signed(context.target.systemField ? request.turns : withNotes(request.turns, notes), context);
  if (choice.tools.length > 0) out.tools = choice.tools;
  if (Object.keys(toolConfig).length > 0) out.toolConfig = toolConfig;
  if (Object.keys(settings).length > 0) out.generationConfig = settings;
  send(out, request, settled);
  rest.report(request, settled);
  return out;
}

function declaresFunctions({ tools }: EncodedToolChoice): boolean {
  return tools.some((entry) => 'functionDeclarations' in entry);
}

function systemText(text: string): Instruction {
  return { authority: 'system', parts: [{ kind: 'text', text }] };
}

/** Notes lead the conversation where there is no field for instructions, whichever role its first turn has. */
function withNotes(turns: readonly Turn[], notes: readonly string[]): readonly Turn[] {
  if (notes.length === 0) return turns;
  const parts = notes.map((text) => ({ kind: 'text' as const, text }));
  const [first, ...rest] = turns;
  return first?.role === 'user'
    ? [{ ...first, parts: [...parts, ...first.parts] }, ...rest]
    : [{ role: 'user', parts }, ...turns];
}

/** The flag stands where functions and tools of the service are declared together ([G §4] rules 19 and 20). */
function encodeToolConfig(
  request: CanonicalRequest,
  choice: EncodedToolChoice,
  context: EncodeRequestContext,
): JsonObject {
  const hosted = choice.tools.some((entry) => !('functionDeclarations' in entry || 'computerUse' in entry));
  const mixed = declaresFunctions(choice) && hosted && context.target.mixHosted === 'flag';
  return {
    ...(choice.config !== undefined && { functionCallingConfig: choice.config }),
    ...(mixed && { includeServerSideToolInvocations: true }),
    ...retrievalConfig(request, choice.tools),
  };
}

/** One text part per text, in order; the authority of a developer has no word here (translation.md 2.3). */
function foreignInstructions(given: readonly Instruction[], { losses }: EncodeRequestContext): Instruction[] {
  const kept: Instruction[] = [];
  for (const instruction of given) {
    dropForeign(instruction, DIALECT, losses);
    const path = ptrOf(instruction);
    for (const part of instruction.parts) dropForeign(part, DIALECT, losses);
    const parts = instruction.parts.filter((part) => part.kind === 'text' && !isBlank(part.text));
    if (parts.length === 0) continue;
    if (instruction.authority === 'developer') {
      losses.add(
        instruction,
        'instruction.authority',
        'moved',
        'developer text is placed among the system instructions',
      );
    }
    for (const part of parts) {
      if (part.kind === 'text' && (part.citations?.length ?? 0) > 0) {
        losses.add(part.src?.ptr ?? path, 'part.citation', 'dropped', 'citations are not supported in instructions');
      }
      if (part.cache !== undefined) {
        losses.add(part.src?.ptr ?? path, 'cache.mark', 'dropped', 'the target caches by itself');
      }
    }
    kept.push({ ...instruction, parts });
  }
  return kept;
}

/**
 * Encodes the turns. Where the model demands signatures, the first call of every step gets the stand-in unless it has
 * one: in old steps too, so that the prefix stays the same from turn to turn (translation.md 4.5).
 */
function signed(turns: readonly Turn[], { losses, target }: EncodeRequestContext): JsonObject[] {
  if (target.signatures !== 'required') return turns.map((turn) => encodeTurn(turn, false));
  return turns.map((turn) => {
    const content = encodeTurn(turn, false);
    const call = turn.role === 'assistant' ? turn.parts.find(isCall) : undefined;
    if (call?.kind !== 'call' || signatureOf(call) !== undefined) return content;
    const part = content.parts.find((encoded) => 'functionCall' in encoded);
    if (part !== undefined) {
      losses.add(call, 'reasoning.state', 'invented', 'a substitute for the signature of the call');
      part.thoughtSignature = STAND_IN;
    }
    return content;
  });
}

function isCall(part: Part): boolean {
  return part.kind === 'call' || (part.kind === 'opaque' && 'functionCall' in part.raw);
}

/** Where the user is, for tools that search near them; only coordinates have a field here (translation.md 2.8). */
function retrievalConfig(request: CanonicalRequest, tools: readonly JsonObject[]): JsonObject {
  if (!tools.some((entry) => 'googleSearch' in entry || 'googleMaps' in entry)) return {};
  for (const tool of request.tools) {
    const place = tool.kind === 'hosted' ? tool.settings.userLocation : undefined;
    if (place?.latitude !== undefined && place.longitude !== undefined) {
      return { retrievalConfig: { latLng: { latitude: place.latitude, longitude: place.longitude } } };
    }
  }
  return {};
}
