import { furtherKeys } from '../adapt/losses.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Tool } from '../canonical/tools.js';
import type { DecodeRequestContext, EncodedRequest, EncodeRequestContext } from '../dialect.js';
import { isObject } from '../wire/json.js';
import { check, checkObject } from './check.js';
import { decodeConfig, encodeOwnConfig } from './config.js';
import { decodeContents, decodeInstructions, encodeInstructions, encodeTurn } from './contents.js';
import { bagOf } from './media.js';
import { bareModel } from './names.js';
import { encodeOwnOutput } from './output.js';
import type { ReadContext } from './part-decode.js';
import { encodeOwnThinking } from './reasoning.js';
import { encodeForeign } from './request-foreign.js';
import { decodeSafety, encodeSafety } from './safety.js';
import { bagPlaces, fieldNames, fieldPtr, invalid, lists, type Opened, open, ownFields, respell } from './spelling.js';
import { decodeToolChoice, encodeOwnChoice } from './tool-choice.js';
import { decodeTools } from './tools-decode.js';
import { encodeOwnTools } from './tools-encode.js';
import * as wire from './wire.js';

/** Fields that the model has no place for; they stay in the bag. */
const OWN = ['store', 'modelArmorConfig'];
const REQUEST = fieldNames(
  ...OWN,
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
/** Lists in whose place one value may stand. */
const LISTS = ['contents', 'tools', 'safetySettings'];
const TOOL_CONFIG = fieldNames('functionCallingConfig', 'includeServerSideToolInvocations', 'retrievalConfig');

/**
 * Reads the body of generateContent or streamGenerateContent. Model and streaming are in the URL and come with the
 * context. Throws `invalid_request` with the pointer of the first fault.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const marks: string[] = [];
  const opened = open(checkObject(body, ''), REQUEST, '', '', marks);
  const listed = lists(opened.known, LISTS, '', marks);
  const fields = check(wire.request, listed.known, '', opened.names);
  const at = (name: string): string => fieldPtr(opened, name, '');
  const items = (name: string) => listed.at(name, at(name));
  const tools = fields.tools === undefined ? [] : decodeTools(fields.tools, items('tools'), marks);
  const functions = functionsBesideComputer(tools);
  const read: ReadContext = {
    losses: context.losses,
    domain: 'unknown:generateContent',
    answer: false,
    ...(functions !== undefined && { functions }),
  };
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
    ownFields(opened.known, OWN),
    toolConfig.bag && { toolConfig: toolConfig.bag },
    config?.bag && { generationConfig: config.bag },
  );
  return {
    source: 'generateContent',
    model: bareModel(context.model ?? fields.model ?? ''),
    stream: context.stream === true,
    instructions: decodeInstructions(fields.systemInstruction, at('systemInstruction'), marks, read),
    turns: decodeContents(fields.contents, items('contents'), read),
    tools,
    ...(toolConfig.choice !== undefined && { toolChoice: toolConfig.choice }),
    ...config?.fields,
    ...decodeEnvelope(fields, items('safetySettings'), marks),
    ...(ext !== undefined && { ext }),
    at: { ...config?.at, ...pointersOf(opened) },
    src: { ptr: '', ...(marks.length > 0 && { shape: marks }), ...bagPlaces(opened, '', OWN) },
  };
}

/** The names of the functions of a request that declares the computer; undefined for one that does not. */
function functionsBesideComputer(tools: readonly Tool[]): ReadonlySet<string> | undefined {
  if (!tools.some((tool) => tool.kind === 'client')) return undefined;
  return new Set(tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : [])));
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
  safetyAt: (index: number) => string,
  marks: string[],
): Partial<CanonicalRequest> {
  const { safetySettings, cachedContent, serviceTier, labels, continuationToken } = fields;
  const safety = safetySettings && decodeSafety(safetySettings, safetyAt, marks);
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
  const bag = { ...opened.rest, ...ownFields(opened.known, ['retrievalConfig']) };
  const held = Object.keys(bag);
  return {
    ...(functionCallingConfig !== undefined && {
      choice: decodeToolChoice(checkObject(functionCallingConfig, at), at, marks),
    }),
    ...(held.length > 0 && { bag: furtherKeys(bag, ptr, held, opened.names) }),
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
