import { createToolRefs, declaredDisplay, dropTool, type ToolRefs } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { createLosses, type Loss, type Losses, NO_TOOL_SEARCH } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ClientTool, FunctionTool, Tool } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, rawSchema } from '../../schema/index.js';
import type { Target } from '../../target/target.js';
import { isObject, lookUp } from '../../wire/json.js';
import { DIALECT, put, remembered, rememberedAll } from '../nodes.js';
import { encodeSchema } from '../schema/encode.js';
import { encodeJsonSchema } from '../schema/json-schema.js';
import { PARAMETERS } from './decode.js';
import { encodeHostedTool, ownHosted } from './hosted/encode.js';
import { imageConfigOf } from './hosted/image-generation.js';
import { ownServer } from './hosted/mcp.js';

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

/** Encodes tools as they came: those of one entry in one entry. */
export function encodeOwnTools(tools: readonly Tool[]): JsonObject[] {
  const entries = new Map<string, Tool[]>();
  let last = '';
  for (const tool of tools) {
    last = /^\/tools(?:\/\d+)?(?=\/)/.exec(ptrOf(tool))?.[0] ?? last;
    const entry = entries.get(last);
    if (entry === undefined) entries.set(last, [tool]);
    else entry.push(tool);
  }
  return [...entries.values()].map((entry) => rememberedAll(entry) ?? encodeEntry(entry));
}

function encodeEntry(tools: readonly Tool[]): JsonObject {
  const entry: JsonObject = {};
  for (const tool of tools) {
    const form = remembered(tool);
    switch (tool.kind) {
      case 'function':
        append(entry, 'functionDeclarations', form ?? ownFunction(tool));
        break;
      case 'hosted':
        if (tool.type === 'mcpServers') append(entry, 'mcpServers', form ?? ownServer(tool));
        else put(entry, tool.type, form ?? ownHosted(tool));
        break;
      case 'client':
        put(entry, tool.type, form ?? ownComputer(tool));
        break;
      case 'opaque':
        for (const key of Object.keys(tool.raw)) put(entry, key, tool.raw[key]);
        break;
      case 'custom':
        break;
      default:
        tool satisfies never;
    }
  }
  return entry;
}

function append(entry: JsonObject, key: string, item: JsonObject): void {
  const list = entry[key];
  if (Array.isArray(list)) list.push(item);
  else entry[key] = [item];
}

function ownFunction({ name, description, schema, ext }: FunctionTool): JsonObject {
  return {
    ...ext?.generateContent,
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parametersJsonSchema: schema }),
  };
}

function ownComputer({ environment, ext }: ClientTool): JsonObject {
  return {
    ...ext?.generateContent,
    ...(environment !== undefined && { environment: `ENVIRONMENT_${environment.toUpperCase()}` }),
  };
}

const NO_TOOLS: EncodedTools = { list: [], functions: [], hosted: [], strict: [], images: false };

/**
 * Encodes tools of another dialect (translation.md 2.8): one entry with all functions, one entry per tool that the
 * service runs. Tools that cannot be had are dropped, or refused when the choice forces them.
 */
export function encodeTools(request: CanonicalRequest, context: EncodeRequestContext): EncodedTools {
  if (request.tools.length === 0) return NO_TOOLS;
  const { losses, target } = context;
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
      if (tool.strict === true) strict.push(ptrOf(tool));
    } else if (tool.kind === 'hosted' && tool.family === 'imageGen') {
      const config = imageConfigOf(tool, context);
      if (config === undefined) lose(tool, forced, losses);
      else dropKeys(tool, losses);
      imageConfig = config ?? imageConfig;
    } else if (tool.kind === 'client' && tool.dialect === DIALECT) {
      dropKeys(tool, losses);
      computers.push(encodeComputer(tool, losses));
    } else {
      const own = createLosses();
      const entry = tool.kind === 'hosted' ? encodeHostedTool(tool, { ...context, losses: own }) : undefined;
      const searches = tool.kind === 'hosted' && tool.family === 'webSearch';
      // Older models take several tools of the service only if all of them search ([G §4] rule 20).
      const fits = target.mixHosted !== 'no' || search === undefined || (search && searches);
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
    throw new TranslationError('unsupported', `the target accepts at most ${MAX_FUNCTIONS} functions`, {
      path: ptrOf(request.tools[0]),
      dialect: DIALECT,
    });
  }
  const mixed = declarations.length > 0 && hosted.length > 0 && target.mixHosted === 'no';
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

/** An encoded tool of the service, and what that cost: nothing of it counts where the tool is dropped after all. */
interface HostedEntry {
  readonly tool: Tool;
  readonly entry: JsonObject;
  readonly losses: readonly Loss[];
}

/** Reports a tool that the target cannot have; a tool that must be called cannot be left out. */
function lose(tool: Tool, forced: ToolRefs, losses: Losses): void {
  const path = ptrOf(tool);
  if (forced.names(tool)) {
    throw new TranslationError('unsupported', 'the tool choice forces a tool that the target cannot have', {
      path,
      dialect: DIALECT,
    });
  }
  const feature = tool.kind === 'client' ? 'tool.client' : tool.kind === 'opaque' ? 'tool.opaque' : 'tool.hosted';
  const searchesTools = tool.kind === 'hosted' && tool.family === 'toolSearch';
  losses.add(tool, feature, 'dropped', searchesTools ? NO_TOOL_SEARCH : 'the target has no such tool');
}

/** What a declared tool loses besides its settings. */
function dropKeys(tool: Tool, losses: Losses): void {
  dropTool(tool, DIALECT, losses);
  if (tool.cache !== undefined) losses.add(tool, 'cache.mark', 'dropped', 'the target caches by itself');
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

function encodeFunction(tool: FunctionTool, { losses, target }: EncodeRequestContext): JsonObject {
  const schema = encodeParameters(tool, target, losses);
  let description = tool.description ?? '';
  if (tool.inputExamples !== undefined && tool.inputExamples.length > 0) {
    losses.add(tool, 'tool.examples', 'moved', 'the examples are moved to the description');
    const examples = tool.inputExamples.map((example) => JSON.stringify(example)).join('\n');
    description = description === '' ? `Examples:\n${examples}` : `${description}\n\nExamples:\n${examples}`;
  }
  return { name: tool.name, description, ...schema };
}

/** The parameters of a function in the form the model takes (translation.md 3.1); nothing when there are none. */
function encodeParameters(
  tool: FunctionTool,
  { jsonSchemaField: asJson, rawSchemas }: Target,
  losses: Losses,
): JsonObject {
  const { schema } = tool;
  if (schema === undefined) return {};
  const root = objectRoot(schema, PARAMETERS);
  if (root.wrapped) losses.add(tool, 'schema.root', 'approximated', 'the schema is wrapped in an object');
  if (isEmptyObject(root.schema)) return {};
  if (asJson && rawSchemas === true) return { parametersJsonSchema: rawSchema(schema, root).schema };
  const projected = asJson ? encodeJsonSchema(root.schema) : encodeSchema(root.schema);
  const changes = describeChanges([...root.changes, ...projected.changes]);
  if (changes !== undefined) losses.add(tool, 'tool.schema', 'approximated', changes);
  if (projected.schema === undefined) return {};
  return asJson ? { parametersJsonSchema: projected.schema } : { parameters: projected.schema };
}

/** A schema that says no more than that it is an object. */
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
  const { environment } = tool;
  if (declaredDisplay(tool) === undefined)
    losses.add(tool, 'tool.client', 'invented', 'the size of the display, as long as no picture shows it');
  else losses.add(tool, 'tool.client', 'approximated', 'coordinates are converted to thousandths of the display');
  const known = lookUp(ENVIRONMENTS, environment);
  if (environment === undefined) losses.add(tool, 'tool.client', 'invented', 'that the computer is a desktop');
  else if (known === undefined) losses.add(tool, 'tool.client', 'approximated', 'a desktop environment was assumed');
  return { [tool.type]: { environment: `ENVIRONMENT_${known ?? 'DESKTOP'}` } };
}
