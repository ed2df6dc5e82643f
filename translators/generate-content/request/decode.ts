import { furtherKeys } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool } from '../../canonical/tools.js';
import type { DecodeRequestContext } from '../../dialect.js';
import type { ReadContext } from '../content/decode.js';
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
    source: DIALECT,
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
    ...(serviceTier !== undefined && { tier: { dialect: DIALECT, value: serviceTier } }),
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
