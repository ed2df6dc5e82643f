import { createToolRefs, declaredDisplay, dropTool, type ToolRefs } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { createLosses, type Loss, type Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ClientTool, FunctionTool, Tool } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, forJsonSchemaField, objectRoot, toSchemaSubset } from '../../schema/index.js';
import { isObject, lookUp } from '../../wire/json.js';
import { DIALECT, put, respell, snakeCase } from '../nodes.js';
import { JSON_SCHEMA_FIELD, PARAMETERS } from './decode.js';
import { encodeHostedTool, imageTool, lose } from './hosted/tools.js';

/** The service refuses more declarations than this ([G §2.5]). */
const MAX_FUNCTIONS = 512;

/** What a request declares, and what of it the tool choice has to know. */
export interface EncodedTools {
  readonly list: readonly JsonObject[];
  readonly functions: readonly string[];
  /** Keys of the entries of hosted and built-in tools. */
  readonly hosted: readonly string[];
  /** Where the functions stand that asked for calls that keep to their schemas. */
  readonly strict: readonly string[];
  /** The model should answer with pictures. */
  readonly images: boolean;
  readonly imageConfig?: JsonObject;
}

/** Prints tools as they came: every tool in the entry it stood in. */
export function encodeOwnTools(tools: readonly Tool[]): JsonObject[] {
  const entries: JsonObject[] = [];
  for (const tool of tools) {
    const entry = entryOf(tool, entries);
    encodeOwnTool(tool, entry);
  }
  return Array.from(entries, (entry) => entry ?? {});
}

function entryOf(tool: Tool, entries: JsonObject[]): JsonObject {
  const mark = tool.src?.shape?.find((shape) => shape.startsWith('entry:'));
  const place = mark === undefined ? Math.max(0, entries.length - 1) : Number(mark.slice('entry:'.length));
  entries[place] ??= {};
  return entries[place];
}

function encodeOwnTool(tool: Tool, entry: JsonObject): void {
  const raw = tool.src?.raw;
  switch (tool.kind) {
    case 'function':
      append(entry, keyOf('functionDeclarations', tool), ownFunction(tool));
      return;
    case 'hosted':
      if (tool.type === 'mcpServers') append(entry, keyOf('mcpServers', tool), isObject(raw) ? raw : {});
      else put(entry, keyOf(tool.type, tool), isObject(raw) ? raw : (tool.ext?.generateContent ?? {}));
      return;
    case 'client':
      put(entry, keyOf(tool.type, tool), isObject(raw) ? raw : {});
      return;
    case 'opaque':
      for (const key of Object.keys(tool.raw)) put(entry, key, tool.raw[key]);
      return;
    case 'custom':
      return;
    default:
      tool satisfies never;
  }
}

function append(entry: JsonObject, key: string, item: JsonObject): void {
  const list = entry[key];
  if (Array.isArray(list)) list.push(item);
  else entry[key] = [item];
}

/** The key of a tool's entry in the spelling it came in. */
function keyOf(key: string, tool: Tool): string {
  const snake = tool.src?.shape?.includes(`snake:${key}`) === true;
  return snake ? snakeCase(key) : key;
}

function ownFunction(tool: FunctionTool): JsonObject {
  const { raw, shape } = tool.src ?? {};
  const field = shape?.includes(JSON_SCHEMA_FIELD) === true ? 'parametersJsonSchema' : 'parameters';
  const functionDeclarations: JsonObject = {
    ...tool.ext?.generateContent,
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(isObject(raw) ? { [field]: raw } : tool.schema !== undefined && { parametersJsonSchema: tool.schema }),
  };
  const inner = shape?.filter((mark) => mark.includes(':functionDeclarations.'));
  const printed = respell({ functionDeclarations }, inner);
  return isObject(printed.functionDeclarations) ? printed.functionDeclarations : {};
}

/**
 * Prints tools of another dialect (translation.md 2.8): one entry with all functions, one entry per tool that the
 * service runs. Tools that cannot be had are dropped, or refused when the choice forces them.
 */
export function encodeTools(request: CanonicalRequest, context: EncodeRequestContext): EncodedTools {
  const { losses, profile } = context;
  const forced = forcedTools(request);
  const declarations: JsonObject[] = [];
  const hosted: HostedEntry[] = [];
  const strict: string[] = [];
  let search: boolean | undefined;
  const computers: JsonObject[] = [];
  let imageConfig: JsonObject | undefined;
  for (const tool of request.tools) {
    if (tool.kind === 'function') {
      dropKeys(tool, losses);
      declarations.push(encodeFunction(tool, context));
      if (tool.strict === true) strict.push(tool.src?.ptr ?? '');
    } else if (tool.kind === 'hosted' && tool.family === 'imageGen') {
      const config = imageTool(tool, forced, context);
      if (config !== undefined) dropKeys(tool, losses);
      imageConfig = config ?? imageConfig;
    } else if (tool.kind === 'client' && tool.dialect === DIALECT) {
      dropKeys(tool, losses);
      computers.push(encodeComputer(tool, losses));
    } else {
      const own = createLosses();
      const entry = encodeHostedTool(tool, { ...context, losses: own });
      const searches = tool.kind === 'hosted' && tool.family === 'webSearch';
      // Older models take several tools of the service only if all of them search ([G §4] rule 20).
      const fits = profile.mixHosted !== 'no' || search === undefined || (search && searches);
      if (entry === undefined || !fits) {
        lose(tool, forced, losses);
      } else {
        dropKeys(tool, own);
        hosted.push({ tool, entry, losses: own.list });
        search ??= searches;
      }
    }
  }
  if (declarations.length > MAX_FUNCTIONS) {
    throw new TranslationError('unsupported', `the target takes at most ${MAX_FUNCTIONS} functions`, {
      path: request.tools[0]?.src?.ptr ?? '',
      dialect: DIALECT,
    });
  }
  const mixed = declarations.length > 0 && hosted.length > 0 && profile.mixHosted === 'no';
  for (const { tool, losses: own } of hosted) {
    if (mixed) lose(tool, forced, losses);
    else for (const { path, feature, kind, detail } of own) losses.add(path, feature, kind, detail);
  }
  const kept = mixed ? [] : hosted.map(({ entry }) => entry);
  return {
    list: [
      ...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []),
      ...merged([...kept, ...computers]),
    ],
    functions: declarations.map((declaration) => String(declaration.name)),
    hosted: kept.flatMap((entry) => Object.keys(entry)),
    strict,
    images: imageConfig !== undefined,
    ...(imageConfig !== undefined && Object.keys(imageConfig).length > 0 && { imageConfig }),
  };
}

/** A tool of the service as printed, and what that cost: nothing of it counts where the tool is dropped after all. */
interface HostedEntry {
  readonly tool: Tool;
  readonly entry: JsonObject;
  readonly losses: readonly Loss[];
}

/** What a declared tool loses besides its settings. */
function dropKeys(tool: Tool, losses: Losses): void {
  dropTool(tool, DIALECT, losses);
  if (tool.cache !== undefined) losses.add(tool.src?.ptr ?? '', 'cache.mark', 'dropped', 'the target caches by itself');
}

/** One entry per kind of tool: servers share their list, a tool declared twice counts once. */
function merged(entries: readonly JsonObject[]): JsonObject[] {
  const out = new Map<string, JsonObject>();
  for (const entry of entries) {
    const key = Object.keys(entry)[0] ?? '';
    const earlier = out.get(key);
    const list = earlier?.[key];
    if (Array.isArray(list) && Array.isArray(entry[key])) list.push(...entry[key]);
    else if (earlier === undefined) out.set(key, { ...entry });
  }
  return [...out.values()];
}

function forcedTools(request: CanonicalRequest): ToolRefs {
  return createToolRefs(request.toolChoice?.mode === 'required' ? (request.toolChoice.only ?? []) : []);
}

function encodeFunction(tool: FunctionTool, { losses, profile }: EncodeRequestContext): JsonObject {
  const path = tool.src?.ptr ?? '';
  const schema = encodeSchema(tool.schema, path, profile.jsonSchemaField, losses);
  let description = tool.description ?? '';
  if (tool.inputExamples !== undefined && tool.inputExamples.length > 0) {
    losses.add(path, 'tool.examples', 'moved', 'the examples are moved to the description');
    const examples = tool.inputExamples.map((example) => JSON.stringify(example)).join('\n');
    description = description === '' ? `Examples:\n${examples}` : `${description}\n\nExamples:\n${examples}`;
  }
  return { name: tool.name, description, ...schema };
}

/** The parameters of a function in the form the model takes (translation.md 3.1); nothing when there are none. */
function encodeSchema(schema: JsonObject | undefined, path: string, asJson: boolean, losses: Losses): JsonObject {
  if (schema === undefined) return {};
  const root = objectRoot(schema, PARAMETERS);
  if (root.wrapped) losses.add(path, 'schema.root', 'approximated', 'the schema was put into an object');
  if (isEmptyObject(root.schema)) return {};
  const projected = asJson ? forJsonSchemaField(root.schema) : toSchemaSubset(root.schema);
  const changes = describeChanges([...root.changes, ...projected.changes]);
  if (changes !== undefined) losses.add(path, 'tool.schema', 'approximated', changes);
  if (projected.schema === undefined) return {};
  return asJson ? { parametersJsonSchema: projected.schema } : { parameters: projected.schema };
}

/** An object of which nothing is said but that it is one. */
function isEmptyObject(schema: JsonObject): boolean {
  const { properties, additionalProperties, required } = schema;
  if (!isObject(properties) || Object.keys(properties).length > 0) return false;
  if (additionalProperties !== undefined && additionalProperties !== false) return false;
  if (Array.isArray(required) && required.length > 0) return false;
  return Object.keys(schema).every((key) =>
    ['type', 'properties', 'additionalProperties', 'required', '$schema', 'title', 'description'].includes(key),
  );
}

/** Words for what a computer is, by the words of other dialects. */
const ENVIRONMENTS: Readonly<Record<string, string>> = { browser: 'BROWSER', mobile: 'MOBILE', desktop: 'DESKTOP' };

/** The computer is no tool of the service: its calls are the client's ([G §2.5]). */
function encodeComputer(tool: ClientTool, losses: Losses): JsonObject {
  const ptr = tool.src?.ptr ?? '';
  const { environment } = tool;
  if (declaredDisplay(tool) === undefined)
    losses.add(ptr, 'tool.client', 'invented', 'the size of the display, as long as no picture shows it');
  else losses.add(ptr, 'tool.client', 'approximated', 'coordinates are converted to thousandths of the display');
  const known = lookUp(ENVIRONMENTS, environment);
  if (environment === undefined) losses.add(ptr, 'tool.client', 'invented', 'that the computer is a desktop');
  else if (known === undefined) losses.add(ptr, 'tool.client', 'approximated', 'taken for a desktop');
  return { [tool.type]: { environment: `ENVIRONMENT_${known ?? 'DESKTOP'}` } };
}
