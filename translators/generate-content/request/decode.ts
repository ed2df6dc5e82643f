import { furtherKeys } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool } from '../../canonical/tools.js';
import type { DecodeRequestContext } from '../../dialect.js';
import { bagOf } from '../content/media.js';
import { decodeContents, decodeInstructions } from '../content/turns.js';
import { bareModel } from '../edge/models.js';
import {
  bagPlaces,
  check,
  checkObject,
  DIALECT,
  fieldNames,
  fieldPtr,
  invalid,
  lists,
  type Opened,
  open,
  ownFields,
  type ReadContext,
  remember,
} from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import * as wire from '../wire/index.js';
import { decodeConfig } from './config.js';
import { decodeSafety } from './settings.js';

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
  const given = checkObject(body, '');
  const opened = open(given, REQUEST, '');
  const listed = lists(opened.known, LISTS);
  const fields = check(wire.request, listed.known, '', opened.names);
  const at = (name: string): string => fieldPtr(opened, name, '');
  const items = (name: string) => listed.at(name, at(name));
  const tools = fields.tools === undefined ? [] : decodeTools(fields.tools, items('tools'));
  const functions = functionsBesideComputer(tools);
  const read: ReadContext = {
    losses: context.losses,
    domain: 'unknown:generateContent',
    answer: false,
    ...(functions !== undefined && { functions }),
  };
  if (fields.contents === undefined || fields.contents.length === 0)
    throw invalid('contents is not specified', at('contents'));
  const config =
    fields.generationConfig === undefined ? undefined : decodeConfig(fields.generationConfig, at('generationConfig'));
  const toolConfig = decodeToolConfig(fields.toolConfig, at('toolConfig'));
  const ext = bagOf(
    opened.rest,
    ownFields(opened.known, OWN),
    toolConfig.bag && { toolConfig: toolConfig.bag },
    config?.bag && { generationConfig: config.bag },
  );
  const request: CanonicalRequest = {
    source: DIALECT,
    model: bareModel(context.model ?? fields.model ?? ''),
    stream: context.stream === true,
    instructions: decodeInstructions(fields.systemInstruction, at('systemInstruction'), read),
    turns: decodeContents(fields.contents, items('contents'), read),
    tools,
    ...(toolConfig.choice !== undefined && { toolChoice: toolConfig.choice }),
    ...config?.fields,
    ...decodeEnvelope(fields, items('safetySettings')),
    ...(ext !== undefined && { ext }),
    at: { ...config?.at, ...toolConfig.at, ...pointersOf(opened) },
    src: { ptr: '', ...bagPlaces(opened, '', OWN) },
  };
  return remember(request, given);
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

function decodeEnvelope(fields: wire.Request, safetyAt: (index: number) => string): Partial<CanonicalRequest> {
  const { safetySettings, cachedContent, serviceTier, labels, continuationToken } = fields;
  const safety = safetySettings && decodeSafety(safetySettings, safetyAt);
  return {
    ...(safety !== undefined && { safety }),
    ...(cachedContent !== undefined && { cache: { resource: cachedContent } }),
    ...(serviceTier !== undefined && { tier: { dialect: DIALECT, value: serviceTier } }),
    ...(labels !== undefined && { metadata: labels }),
    ...(continuationToken !== undefined && { state: { continuation: continuationToken } }),
  };
}

interface ReadToolConfig {
  readonly choice?: CanonicalRequest['toolChoice'];
  readonly at?: CanonicalRequest['at'];
  readonly bag?: JsonObject;
}

/** Names the place of the flag that shows the service's own tool calls. */
export const SHOWN = 'tools.shown';

/** The flag that shows the service's own tool calls says nothing to others, which always show theirs. */
function decodeToolConfig(value: JsonObject | undefined, ptr: string): ReadToolConfig {
  if (value === undefined) return {};
  const opened = open(value, TOOL_CONFIG, ptr);
  const { functionCallingConfig, includeServerSideToolInvocations } = opened.known;
  const at = fieldPtr(opened, 'functionCallingConfig', ptr);
  const bag = { ...opened.rest, ...ownFields(opened.known, ['retrievalConfig']) };
  const held = Object.keys(bag);
  return {
    ...(functionCallingConfig !== undefined && {
      choice: decodeToolChoice(checkObject(functionCallingConfig, at), at),
    }),
    ...(includeServerSideToolInvocations === true && {
      at: { [SHOWN]: fieldPtr(opened, 'includeServerSideToolInvocations', ptr) },
    }),
    ...(held.length > 0 && { bag: furtherKeys(bag, ptr, held, opened.names) }),
  };
}
