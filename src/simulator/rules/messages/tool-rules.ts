import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { type Violation, when } from '../violation.js';
import type { Conversation } from './blocks.js';

const NAMELESS = /^(?:computer_toolset|browser_toolset)_\d+$|^mcp_toolset$/;

/** Rules on tools and the choice among them [M §3.19-3.23]. */
export function checkTools({ body, tools }: Conversation): Violation[] {
  const names = tools.filter(({ type }) => !NAMELESS.test(stringOf(type))).map(({ name }) => stringOf(name));
  const deferred = tools.length > 0 && tools.every((tool) => tool.defer_loading === true);
  return [
    ...tools.flatMap(checkTool),
    ...when(new Set(names).size < names.length, 'tools: Tool names must be unique.'),
    ...when(deferred, 'At least one tool must have defer_loading=false.'),
    ...checkChoice(objectOf(body.tool_choice), names, tools.length > 0),
  ];
}

function checkTool(tool: JsonObject, index: number): Violation[] {
  const at = `tools.${index}`;
  const type = stringOf(tool.type, 'custom');
  if (type !== 'custom') return checkBuiltIn(tool, type, at);
  const schema = objectOf(tool.input_schema);
  const named = /^[a-zA-Z0-9_-]{1,128}$/.test(stringOf(tool.name));
  const marked = tool.defer_loading === true && isObject(tool.cache_control);
  return [
    ...when(!named, `${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`),
    ...when(marked, `${at}: Tools with defer_loading cannot use prompt caching`),
    ...checkInputSchema(schema, `${at}.custom.input_schema`),
    ...(tool.strict === true ? checkClosed(schema, `${at}.custom`) : []),
  ];
}

/** Names that built-in client tools fix, and the versions there are [M §2.5]. */
const CLIENT_TOOLS: readonly (readonly [RegExp, name: string])[] = [
  [/^bash_(?:20241022|20250124)$/, 'bash'],
  [/^text_editor_(?:20241022|20250124)$/, 'str_replace_editor'],
  [/^text_editor_(?:20250429|20250728)$/, 'str_replace_based_edit_tool'],
  [/^computer_(?:20241022|20250124|20251124)$/, 'computer'],
  [/^memory_20250818$/, 'memory'],
];
const CLIENT_FAMILY = /^(?:bash|text_editor|computer|memory)_\d{8}$/;

function checkBuiltIn(tool: JsonObject, type: string, at: string): Violation[] {
  const name = CLIENT_TOOLS.find(([pattern]) => pattern.test(type))?.[1];
  const known = /^[a-z][a-z0-9_]*$/.test(type) && (name !== undefined || !CLIENT_FAMILY.test(type));
  if (!known) return when(true, `${at}: Input tag '${type}' found using 'type' does not match`);
  const edges = name === 'computer' ? ['display_width_px', 'display_height_px'] : [];
  return [
    ...when(name !== undefined && tool.name !== name, `${at}.${type}.name: Input should be '${name}'`),
    ...edges.flatMap((field) => {
      const fault = tool[field] === undefined ? 'Field required' : 'Input should be greater than or equal to 1';
      return when(!(Number.isInteger(tool[field]) && Number(tool[field]) >= 1), `${at}.${type}.${field}: ${fault}`);
    }),
  ];
}

/** Tools that are in beta, with how the name of their feature begins [M §2.5]. */
const BETA_TOOLS: readonly (readonly [RegExp, feature: string])[] = [
  [/^computer_\d{8}$/, 'computer-use-'],
  [/^(?:bash|text_editor)_20241022$/, 'computer-use-'],
  [/^mcp_toolset$/, 'mcp-client-'],
];

/** What the service refuses because the header `anthropic-beta` does not ask for it. */
export function checkBetas(body: JsonObject, header = ''): Violation[] {
  const names = header.split(',').map((name) => name.trim());
  const lacks = (feature: string): boolean => !names.some((name) => name.startsWith(feature));
  const servers = body.mcp_servers !== undefined && lacks('mcp-client-');
  return [
    ...when(servers, 'mcp_servers: Extra inputs are not permitted'),
    ...objectsOf(body.tools).flatMap((tool, index) => {
      const type = stringOf(tool.type);
      const barred = BETA_TOOLS.some(([pattern, feature]) => pattern.test(type) && lacks(feature));
      const message = `tools.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
      return when(barred, message);
    }),
  ];
}

function checkInputSchema(schema: JsonObject, at: string): Violation[] {
  if (schema.type === undefined) return when(true, `${at}.type: Field required`);
  const union = ['oneOf', 'anyOf', 'allOf'].some((key) => key in schema);
  const odd = Object.keys(objectOf(schema.properties)).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key));
  const old = visitSchemas(schema).some(
    ({ exclusiveMinimum, exclusiveMaximum, items }) =>
      typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean' || Array.isArray(items),
  );
  return [
    ...when(schema.type !== 'object', `${at}.type: Input should be 'object'`),
    ...when(union, `${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`),
    ...when(odd, `${at}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`),
    ...when(old, `${at}: JSON schema is invalid. It must match JSON Schema draft 2020-12`),
  ];
}

/** Every object of a strict or output schema is closed, and nothing refers to itself [M §2.8]. */
export function checkClosed(schema: JsonObject, at: string): Violation[] {
  const open = visitSchemas(schema).some(
    ({ type, additionalProperties }) => [type].flat().includes('object') && additionalProperties !== false,
  );
  return [
    ...when(open, `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`),
    ...when(isRecursive(schema), `${at}: Recursive schemas are not supported`),
  ];
}

/** The schema and every schema inside it, wherever one may be. */
function visitSchemas(schema: JsonObject): JsonObject[] {
  const { properties, $defs, definitions, patternProperties, items, additionalProperties, not, ...rest } = schema;
  const maps = [properties, $defs, definitions, patternProperties].flatMap((map) => Object.values(objectOf(map)));
  const lists = [rest.anyOf, rest.oneOf, rest.allOf, rest.prefixItems].flatMap(objectsOf);
  const inner = [...maps, ...lists, items, additionalProperties, not];
  return [schema, ...inner.filter(isObject).flatMap(visitSchemas)];
}

/** Whether a definition leads back to itself: what is left when those are taken away that lead to none. */
function isRecursive(schema: JsonObject): boolean {
  const definitions = { ...objectOf(schema.definitions), ...objectOf(schema.$defs) };
  if (refersTo(schema).includes('#')) return true;
  const users = new Map<string, string[]>();
  const targets = new Map<string, number>();
  for (const [name, node] of Object.entries(definitions)) {
    const known = [...new Set(refersTo(node))].filter((target) => Object.hasOwn(definitions, target));
    targets.set(name, known.length);
    for (const target of known) {
      const list = users.get(target);
      if (list === undefined) users.set(target, [name]);
      else list.push(name);
    }
  }
  const done = [...targets].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (const name of done) {
    for (const user of users.get(name) ?? []) {
      const left = (targets.get(user) ?? 0) - 1;
      targets.set(user, left);
      if (left === 0) done.push(user);
    }
  }
  return done.length < targets.size;
}

/** The names of the definitions that a schema refers to; `#` is the schema itself. */
function refersTo(node: unknown): string[] {
  if (!isObject(node)) return [];
  return visitSchemas(node).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').at(-1) ?? ''] : []));
}

function checkChoice({ type, name }: JsonObject, names: readonly string[], declared: boolean): Violation[] {
  const undeclared = type !== undefined && type !== 'none' && !declared;
  const absent = type === 'tool' && !names.includes(stringOf(name));
  return [
    ...when(undeclared, 'tool_choice may only be specified while providing tools'),
    ...when(absent, `tool_choice: Tool '${stringOf(name)}' not found in provided tools`),
  ];
}
