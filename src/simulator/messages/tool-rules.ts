import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import type { Violation } from '../violation.js';

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const NAMELESS = /^(computer_toolset|browser_toolset)_\d+$|^mcp_toolset$/;
const BUILT_IN = /^[a-z][a-z0-9_]*$/;

/** Rules on tools and the choice among them [M §3.19-3.23]. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = objectsOf(body.tools);
  const names = tools.filter((tool) => !NAMELESS.test(stringOf(tool.type))).map((tool) => stringOf(tool.name));
  return [
    ...tools.flatMap(checkTool),
    ...(new Set(names).size === names.length ? [] : [{ message: 'tools: Tool names must be unique.' }]),
    ...(tools.length > 0 && tools.every((tool) => tool.defer_loading === true)
      ? [{ message: 'At least one tool must have defer_loading=false.' }]
      : []),
    ...checkChoice(objectOf(body.tool_choice), names, tools.length > 0),
  ];
}

function checkTool(tool: JsonObject, index: number): Violation[] {
  const at = `tools.${index}`;
  const type = stringOf(tool.type, 'custom');
  if (type !== 'custom') {
    const message = `${at}: Input tag '${type}' found using 'type' does not match`;
    return BUILT_IN.test(type) ? checkClientTool(tool, type, at) : [{ message }];
  }
  const problems: string[] = [];
  if (!NAME.test(stringOf(tool.name))) {
    problems.push(`${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (tool.defer_loading === true && isObject(tool.cache_control)) {
    problems.push(`${at}: Tools with defer_loading cannot use prompt caching`);
  }
  const schema = objectOf(tool.input_schema);
  problems.push(...checkInputSchema(schema, `${at}.custom.input_schema`));
  if (tool.strict === true) problems.push(...checkClosed(schema, `${at}.custom`));
  return problems.map((message) => ({ message }));
}

/** Names that built-in client tools fix, and the versions there are [M §2.5]. */
const CLIENT_TOOLS: readonly (readonly [RegExp, name: string])[] = [
  [/^bash_(20241022|20250124)$/, 'bash'],
  [/^text_editor_(20241022|20250124)$/, 'str_replace_editor'],
  [/^text_editor_(20250429|20250728)$/, 'str_replace_based_edit_tool'],
  [/^computer_(20241022|20250124|20251124)$/, 'computer'],
  [/^memory_20250818$/, 'memory'],
];
const CLIENT_FAMILY = /^(bash|text_editor|computer|memory)_\d{8}$/;

function checkClientTool(tool: JsonObject, type: string, at: string): Violation[] {
  if (!CLIENT_FAMILY.test(type)) return [];
  const name = CLIENT_TOOLS.find(([pattern]) => pattern.test(type))?.[1];
  if (name === undefined) return [{ message: `${at}: Input tag '${type}' found using 'type' does not match` }];
  if (tool.name !== name) return [{ message: `${at}.${type}.name: Input should be '${name}'` }];
  if (name !== 'computer') return [];
  return ['display_width_px', 'display_height_px'].flatMap((field) => {
    const size = tool[field];
    if (typeof size === 'number' && Number.isInteger(size) && size >= 1) return [];
    return [
      {
        message: `${at}.${type}.${field}: ${size === undefined ? 'Field required' : 'Input should be greater than or equal to 1'}`,
      },
    ];
  });
}

function checkInputSchema(schema: JsonObject, at: string): string[] {
  if (schema.type === undefined) return [`${at}.type: Field required`];
  if (schema.type !== 'object') return [`${at}.type: Input should be 'object'`];
  if (['oneOf', 'anyOf', 'allOf'].some((key) => key in schema)) {
    return [`${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`];
  }
  if (Object.keys(objectOf(schema.properties)).some((key) => !PROPERTY.test(key))) {
    return [`${at}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`];
  }
  const old = visitSchemas(schema).some(
    (node) =>
      typeof node.exclusiveMinimum === 'boolean' ||
      typeof node.exclusiveMaximum === 'boolean' ||
      Array.isArray(node.items),
  );
  return old ? [`${at}: JSON schema is invalid. It must match JSON Schema draft 2020-12`] : [];
}

/** Every object of a strict or output schema is closed, and nothing refers to itself [M §2.8]. */
export function checkClosed(schema: JsonObject, at: string): string[] {
  const open = visitSchemas(schema).some((node) => isObjectNode(node) && node.additionalProperties !== false);
  if (open) return [`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`];
  return isRecursive(schema) ? [`${at}: Recursive schemas are not supported`] : [];
}

function isObjectNode(node: JsonObject): boolean {
  return node.type === 'object' || (Array.isArray(node.type) && node.type.includes('object'));
}

/** The schema and every schema inside it, wherever a schema may stand. */
function visitSchemas(schema: JsonObject): JsonObject[] {
  const maps = ['properties', '$defs', 'definitions', 'patternProperties'].flatMap((key) =>
    Object.values(objectOf(schema[key])),
  );
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => objectsOf(schema[key]));
  const single = ['items', 'additionalProperties', 'not'].map((key) => schema[key]);
  return [schema, ...[...maps, ...lists, ...single].filter(isObject).flatMap(visitSchemas)];
}

/** Whether a definition leads back to itself; every definition and every reference is looked at once. */
function isRecursive(schema: JsonObject): boolean {
  const definitions = { ...objectOf(schema.definitions), ...objectOf(schema.$defs) };
  if (refersTo(schema).includes('#')) return true;
  const done = new Set<string>();
  for (const name of Object.keys(definitions)) {
    const open = new Set<string>();
    const stack: { readonly name: string; readonly next: string[] }[] = [{ name: '', next: [name] }];
    while (stack.length > 0) {
      const top = stack.at(-1);
      const target = top?.next.pop();
      if (top === undefined || target === undefined) {
        stack.pop();
        open.delete(top?.name ?? '');
        done.add(top?.name ?? '');
        continue;
      }
      if (open.has(target)) return true;
      if (done.has(target)) continue;
      open.add(target);
      stack.push({ name: target, next: refersTo(definitions[target]) });
    }
  }
  return false;
}

/** The names of the definitions that a schema refers to; `#` is the schema itself. */
function refersTo(node: unknown): string[] {
  if (!isObject(node)) return [];
  return visitSchemas(node).flatMap((inner) =>
    typeof inner.$ref === 'string' ? [inner.$ref.split('/').at(-1) ?? ''] : [],
  );
}

function checkChoice(choice: JsonObject, names: readonly string[], declared: boolean): Violation[] {
  if (choice.type === undefined) return [];
  if (!declared && choice.type !== 'none') {
    return [{ message: 'tool_choice may only be specified while providing tools' }];
  }
  if (choice.type !== 'tool' || names.includes(stringOf(choice.name))) return [];
  return [{ message: `tool_choice: Tool '${stringOf(choice.name)}' not found in provided tools` }];
}
