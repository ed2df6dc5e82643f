import { adaptRequest } from '../adapt/index.js';
import { dropForeign } from '../adapt/losses.js';
import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Instruction, SafetySetting, Turn } from '../canonical/request.js';
import type { StateEntry } from '../canonical/state.js';
import type { DecodeRequestContext, EncodedRequest, EncodeRequestContext } from '../dialect.js';
import { isObject } from '../wire/json.js';
import { check, checkObject } from './check.js';
import { decodeConfig, encodeOwnConfig } from './config.js';
import { encodeConfig, encodeEnvelope } from './config-encode.js';
import { decodeContents, decodeInstructions, encodeInstructions, encodeTurn } from './contents.js';
import { bagOf } from './media.js';
import { bareModel } from './names.js';
import { encodeOutput, encodeOwnOutput } from './output.js';
import type { ReadContext } from './part-decode.js';
import { signatureOf } from './part-encode.js';
import { encodeOwnThinking, encodeThinking } from './reasoning.js';
import { rules } from './rules.js';
import { fieldNames, fieldPtr, invalid, type Opened, open, respell } from './spelling.js';
import { decodeToolChoice, encodeOwnChoice, encodeToolChoice } from './tool-choice.js';
import { decodeTools } from './tools-decode.js';
import { encodeOwnTools, encodeTools } from './tools-encode.js';
import * as wire from './wire.js';

const REQUEST = fieldNames(
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
  'serviceTier',
  'labels',
  'continuationToken',
  'model',
);
const TOOL_CONFIG = fieldNames('functionCallingConfig', 'includeServerSideToolInvocations');
const SAFETY = fieldNames('category', 'threshold');

/**
 * Reads the body of generateContent or streamGenerateContent. Model and streaming are in the URL and come with the
 * context. Throws `invalid_request` with the pointer of the first fault.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const marks: string[] = [];
  const opened = open(checkObject(body, ''), REQUEST, '', '', marks);
  const fields = check(wire.request, opened.known, '', opened.names);
  const read: ReadContext = { losses: context.losses, domain: 'unknown:generateContent', answer: false };
  const at = (name: string): string => fieldPtr(opened, name, '');
  if (fields.contents === undefined || fields.contents.length === 0)
    throw invalid('contents is not specified', at('contents'));
  if (fields.model !== undefined) marks.push(`as:model=${JSON.stringify(fields.model)}`);
  const config =
    fields.generationConfig === undefined
      ? undefined
      : decodeConfig(fields.generationConfig, at('generationConfig'), marks);
  const toolConfig = decodeToolConfig(fields.toolConfig, at('toolConfig'), marks);
  const ext = bagOf(
    opened.rest,
    toolConfig.bag && { toolConfig: toolConfig.bag },
    config?.bag && { generationConfig: config.bag },
  );
  return {
    source: 'generateContent',
    model: bareModel(context.model ?? fields.model ?? ''),
    stream: context.stream === true,
    instructions: decodeInstructions(fields.systemInstruction, at('systemInstruction'), marks, read),
    turns: decodeContents(fields.contents, at('contents'), read),
    tools: fields.tools === undefined ? [] : decodeTools(fields.tools, at('tools'), marks),
    ...(toolConfig.choice !== undefined && { toolChoice: toolConfig.choice }),
    ...config?.fields,
    ...decodeEnvelope(fields, at, marks),
    ...(ext !== undefined && { ext }),
    at: { ...config?.at, ...pointersOf(opened) },
    src: { ptr: '', ...(marks.length > 0 && { shape: marks }) },
  };
}

/** Pointers of top-level fields that are no nodes, by feature. */
function pointersOf(opened: Opened): Record<string, string> {
  const at: Record<string, string> = { turns: fieldPtr(opened, 'contents', '') };
  const features: Readonly<Record<string, string>> = {
    safetySettings: 'safety',
    cachedContent: 'cache.resource',
    serviceTier: 'tier',
    labels: 'metadata',
    continuationToken: 'state.continuation',
  };
  for (const key in features) {
    const feature = features[key];
    if (feature !== undefined && opened.known[key] !== undefined) at[feature] = fieldPtr(opened, key, '');
  }
  return at;
}

function decodeEnvelope(
  fields: wire.Request,
  at: (name: string) => string,
  marks: string[],
): Partial<CanonicalRequest> {
  const { safetySettings, cachedContent, serviceTier, labels, continuationToken } = fields;
  const safety = safetySettings?.map((setting, index): SafetySetting => {
    const ptr = `${at('safetySettings')}/${index}`;
    const opened = open(setting, SAFETY, ptr, `safetySettings.${index}.`, marks);
    const { category, threshold } = check(wire.safetySetting, opened.known, ptr, opened.names);
    const ext = bagOf(opened.rest);
    return { category, threshold, ...(ext !== undefined && { ext }), src: { ptr } };
  });
  return {
    ...(safety !== undefined && { safety }),
    ...(cachedContent !== undefined && { cache: { resource: cachedContent } }),
    ...(serviceTier !== undefined && { tier: { dialect: 'generateContent', value: serviceTier } }),
    ...(labels !== undefined && { metadata: labels }),
    ...(continuationToken !== undefined && { state: { continuation: continuationToken } }),
  };
}

interface ReadToolConfig {
  readonly choice?: CanonicalRequest['toolChoice'];
  readonly bag?: JsonObject;
}

/** The flag that shows the service's own tool calls says nothing to others, which always show theirs. */
function decodeToolConfig(value: JsonObject | undefined, ptr: string, marks: string[]): ReadToolConfig {
  if (value === undefined) return {};
  const opened = open(value, TOOL_CONFIG, ptr, 'toolConfig.', marks);
  const { functionCallingConfig, includeServerSideToolInvocations } = opened.known;
  if (Object.keys(value).length === 0) marks.push('as:toolConfig={}');
  if (includeServerSideToolInvocations !== undefined) {
    marks.push(`as:toolConfig.includeServerSideToolInvocations=${JSON.stringify(includeServerSideToolInvocations)}`);
  }
  const at = fieldPtr(opened, 'functionCallingConfig', ptr);
  return {
    ...(functionCallingConfig !== undefined && {
      choice: decodeToolChoice(checkObject(functionCallingConfig, at), at, marks),
    }),
    ...(opened.rest !== undefined && { bag: opened.rest }),
  };
}

/**
 * Prints a request. One that came from this dialect is printed as it came; others are adapted to the profile first.
 * Throws `unsupported` where a translation would be wrong rather than poorer.
 */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = given;
  const body = given.source === 'generateContent' ? encodeOwn(given) : encodeForeign(given, context);
  return { body, model, stream };
}

function encodeOwn(request: CanonicalRequest): JsonObject {
  const { generationConfig: _config, toolConfig, ...bag } = request.ext?.generateContent ?? {};
  const { safety, cache, tier, metadata, state, toolChoice } = request;
  const config = {
    ...encodeOwnConfig(request),
    ...(request.output !== undefined && encodeOwnOutput(request.output)),
    ...(request.reasoning !== undefined && { thinkingConfig: encodeOwnThinking(request.reasoning) }),
  };
  const tooling = {
    ...(isObject(toolConfig) ? toolConfig : {}),
    ...(toolChoice !== undefined && { functionCallingConfig: encodeOwnChoice(toolChoice) }),
  };
  const body: JsonObject = {
    ...bag,
    ...(request.instructions.length > 0 && { systemInstruction: encodeInstructions(request.instructions, true) }),
    contents: request.turns.map((turn) => encodeTurn(turn, true)),
    ...(request.tools.length > 0 && { tools: encodeOwnTools(request.tools) }),
    ...(Object.keys(tooling).length > 0 && { toolConfig: tooling }),
    ...(safety !== undefined && { safetySettings: safety.map(encodeSafety) }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(cache?.resource !== undefined && { cachedContent: cache.resource }),
    ...(tier !== undefined && { serviceTier: tier.value }),
    ...(metadata !== undefined && { labels: metadata }),
    ...(state?.continuation !== undefined && { continuationToken: state.continuation }),
  };
  return respell(body, request.src?.shape);
}

function encodeSafety({ category, threshold, ext }: SafetySetting): JsonObject {
  return { ...ext?.generateContent, category, threshold };
}

function encodeForeign(given: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  refuseState(given);
  const request = adaptRequest(given, rules, context);
  const tools = encodeTools(request, context);
  const choice = encodeToolChoice(request, tools, context);
  const callable = choice.tools.some((entry) => 'functionDeclarations' in entry);
  const output = encodeOutput(request.output, callable, context);
  const thinkingConfig = encodeThinking(request.reasoning, context);
  const instructions = foreignInstructions(request.instructions, context);
  if (output.note !== undefined)
    instructions.push({ authority: 'system', parts: [{ kind: 'text', text: output.note }] });
  const config = {
    ...encodeConfig(request, tools, context),
    ...output.fields,
    ...(thinkingConfig !== undefined && { thinkingConfig }),
  };
  const mixed = callable && choice.tools.length > 1 && context.profile.mixHosted === 'flag';
  const toolConfig = {
    ...(choice.config !== undefined && { functionCallingConfig: choice.config }),
    ...(mixed && { includeServerSideToolInvocations: true }),
    ...retrievalConfig(request, choice.tools),
  };
  return {
    ...(instructions.length > 0 && { systemInstruction: encodeInstructions(instructions, false) }),
    contents: signed(request.turns, context),
    ...(choice.tools.length > 0 && { tools: choice.tools }),
    ...(Object.keys(toolConfig).length > 0 && { toolConfig }),
    ...(request.safety !== undefined && { safetySettings: request.safety.map(encodeSafety) }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...encodeEnvelope(request, context),
  };
}

/** State that only its own service, or the host before us, can resolve (translation.md 0.10). */
function refuseState({ state, at }: CanonicalRequest): void {
  const refuse = (message: string, feature: string, code?: string): never => {
    throw new TranslationError('unsupported', message, {
      path: at?.[feature] ?? '',
      dialect: 'generateContent',
      ...(code !== undefined && { code }),
    });
  };
  if (state?.previousId !== undefined) {
    refuse(
      'the stored answer that this request continues is not known here',
      'state.previousId',
      'previous_response_not_found',
    );
  }
  if (state?.conversation !== undefined) refuse('stored conversations are not known here', 'state.conversation');
  if (state?.background === true) refuse('the target cannot run requests in the background', 'state.background');
  if (state?.template !== undefined) refuse('prompt templates of another service cannot be resolved', 'state.template');
  if (state?.continuation !== undefined) refuse('a cut answer goes on only where it was cut', 'state.continuation');
}

/** One text part per text, in order; the authority of a developer has no word here (translation.md 2.3). */
function foreignInstructions(given: readonly Instruction[], { losses }: EncodeRequestContext): Instruction[] {
  const kept: Instruction[] = [];
  for (const instruction of given) {
    dropForeign(instruction, 'generateContent', losses);
    const path = instruction.src?.ptr ?? '';
    const parts = instruction.parts.filter((part) => part.kind === 'text' && part.text.trim() !== '');
    if (parts.length === 0) continue;
    if (instruction.authority === 'developer') {
      losses.add(path, 'instruction.authority', 'moved', 'developer text stands among the system instructions');
    }
    for (const part of parts) {
      dropForeign(part, 'generateContent', losses);
      if (part.cache !== undefined) {
        losses.add(part.src?.ptr ?? path, 'cache.mark', 'dropped', 'the target caches by itself');
      }
    }
    kept.push({ ...instruction, parts });
  }
  return kept;
}

/** The documented stand-in for the signature of a call that this service did not make ([G §4] signature rule 5). */
const STAND_IN: StateEntry = {
  dialect: 'generateContent',
  domain: '',
  kind: 'signature',
  payload: 'skip_thought_signature_validator',
  on: 'call',
};

/**
 * Prints the turns. Where the model demands signatures, the first call of every step gets the stand-in unless it has
 * one: in old steps too, so that the prefix stays the same from turn to turn (translation.md 4.5).
 */
function signed(turns: readonly Turn[], { losses, profile }: EncodeRequestContext): JsonObject[] {
  if (profile.signatures !== 'required') return turns.map((turn) => encodeTurn(turn, false));
  return turns.map((turn) => {
    const place = turn.parts.findIndex(
      (part) => part.kind === 'call' || (part.kind === 'opaque' && 'functionCall' in part.raw),
    );
    const first = turn.role === 'assistant' ? turn.parts[place] : undefined;
    if (first?.kind !== 'call' || signatureOf(first) !== undefined) return encodeTurn(turn, false);
    losses.add(first.src?.ptr ?? '', 'reasoning.state', 'invented', 'a stand-in for the signature of the call');
    const parts = [...turn.parts];
    parts[place] = { ...first, state: [STAND_IN] };
    return encodeTurn({ ...turn, parts }, false);
  });
}

/** Where the user is, for tools that search near them; only coordinates can be said here (translation.md 2.8). */
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
