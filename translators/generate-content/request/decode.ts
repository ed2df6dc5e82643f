import { furtherKeys } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool } from '../../canonical/tools.js';
import type { DecodeRequestContext } from '../../dialect.js';
import { readerOf } from '../../wire/member-coders.js';
import { keysWhere, type Member, schemaOf } from '../../wire/members.js';
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
  type Mutable,
  numbers,
  open,
  ownFields,
  type ReadContext,
  remember,
} from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import { type Config, config, members } from './members.js';
import { decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';
import type { Draft } from './settings.js';

const REQUEST = schemaOf(members);
const NAMES = fieldNames(...Object.keys(members));
const isOwn = ({ schema }: Member): boolean => schema === undefined;
/** Fields that the model has no place for; they stay in the bag. */
const OWN = [...keysWhere(members, isOwn)];
const read = readerOf(members, noRest);

const CONFIG = schemaOf(config);
const CONFIG_NAMES = fieldNames(...Object.keys(config));
const CONFIG_OWN = [...keysWhere(config, isOwn)];
const NUMBERS = [...keysWhere(config, ({ schema }) => schema?.kind === 'number')];
const readConfig = readerOf(config, noRest);

/** Lists in whose place one value may stand. */
const LISTS = ['contents', 'tools', 'safetySettings'];
const TOOL_CONFIG = fieldNames('functionCallingConfig', 'includeServerSideToolInvocations', 'retrievalConfig');

/**
 * Reads the body of generateContent or streamGenerateContent. Model and streaming are in the URL and come with the
 * context. Throws `invalid_request` with the pointer of the first fault.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const given = checkObject(body, '');
  const opened = open(given, NAMES, '');
  const listed = lists(opened.known, LISTS);
  const fields = check(REQUEST, listed.known, '', opened.names);
  const at = (name: string): string => fieldPtr(opened, name, '');
  const items = (name: string) => listed.at(name, at(name));
  const tools = fields.tools ? decodeTools(fields.tools, items('tools')) : [];
  const functions = functionsBesideComputer(tools);
  const scope: ReadContext = {
    losses: context.losses,
    domain: 'unknown:generateContent',
    answer: false,
    ...(functions !== undefined && { functions }),
  };
  if (!fields.contents || fields.contents.length === 0) throw invalid('contents is not specified', at('contents'));
  const pointers: Record<string, string> = {};
  const request: Mutable<CanonicalRequest> = {
    source: DIALECT,
    model: bareModel(context.model ?? fields.model ?? ''),
    stream: context.stream === true,
    instructions: decodeInstructions(fields.systemInstruction ?? undefined, at('systemInstruction'), scope),
    turns: decodeContents(fields.contents, items('contents'), scope),
    tools,
    at: pointers,
    src: { ptr: '', ...bagPlaces(opened, '', OWN) },
  };
  const { generationConfig } = fields;
  const draft: Draft = { out: request, bag: {}, at: pointers, place: at, items };
  const configBag = generationConfig ? decodeConfig(generationConfig, at('generationConfig'), draft) : undefined;
  const toolConfigBag = fields.toolConfig ? decodeToolConfig(fields.toolConfig, at('toolConfig'), draft) : undefined;
  read(fields, listed.known, draft, at);
  const ext = bagOf(
    opened.rest,
    ownFields(opened.known, OWN),
    toolConfigBag && { toolConfig: toolConfigBag },
    configBag && { generationConfig: configBag },
  );
  if (ext !== undefined) request.ext = ext;
  return remember(request, given);
}

/** Reads `generationConfig` ([G §2.6]); returns what of it has no field. */
function decodeConfig(value: unknown, ptr: string, { out, at, items }: Draft): JsonObject | undefined {
  const node = checkObject(value, ptr);
  const opened = open(node, CONFIG_NAMES, ptr);
  const known = numbers(lists(opened.known, ['stopSequences']).known, NUMBERS);
  const fields = check(CONFIG, known, ptr, opened.names);
  const place = (key: string): string => fieldPtr(opened, key, ptr);
  readConfig(fields, known, { out, bag: {}, at, place, items } as Draft, place);
  const { output, bag: outputBag } = decodeOutput(fields as Config, outputPtr(opened.known, ptr));
  if (output !== undefined) out.output = output;
  const { thinkingConfig } = fields;
  if (thinkingConfig) out.reasoning = decodeReasoningSettings(thinkingConfig, place('thinkingConfig'));
  const bag = { ...opened.rest, ...ownFields(known, CONFIG_OWN), ...outputBag };
  const held = Object.keys(bag);
  return held.length > 0 ? furtherKeys(bag, ptr, held, opened.names) : undefined;
}

/** The pointer of the field that decides about the format. */
function outputPtr(known: JsonObject, ptr: string): string {
  const keys = ['responseFormat', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema', 'responseMimeType'];
  const key = keys.find((name) => known[name] !== undefined);
  return key === undefined ? ptr : `${ptr}/${key}`;
}

/** The tables have no objects whose other keys are to be kept: `open` keeps them. */
function noRest(): void {}

/** The names of the functions of a request that declares the computer; undefined for one that does not. */
function functionsBesideComputer(tools: readonly Tool[]): ReadonlySet<string> | undefined {
  if (!tools.some((tool) => tool.kind === 'client')) return undefined;
  return new Set(tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : [])));
}

/** Names the place of the flag that shows the service's own tool calls. */
export const SHOWN = 'tools.shown';

/**
 * The choice among tools, and what else its config holds. The flag that shows the service's own tool calls says nothing to
 * others, which always show theirs.
 */
function decodeToolConfig(value: JsonObject, ptr: string, { out, at: pointers }: Draft): JsonObject | undefined {
  const opened = open(value, TOOL_CONFIG, ptr);
  const { functionCallingConfig, includeServerSideToolInvocations } = opened.known;
  const at = fieldPtr(opened, 'functionCallingConfig', ptr);
  if (functionCallingConfig !== undefined)
    out.toolChoice = decodeToolChoice(checkObject(functionCallingConfig, at), at);
  if (includeServerSideToolInvocations === true)
    pointers[SHOWN] = fieldPtr(opened, 'includeServerSideToolInvocations', ptr);
  const bag = { ...opened.rest, ...ownFields(opened.known, ['retrievalConfig']) };
  const held = Object.keys(bag);
  return held.length > 0 ? furtherKeys(bag, ptr, held, opened.names) : undefined;
}
