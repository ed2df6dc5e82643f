import { isObject, type JsonObject, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import { type Violation, when } from '../violation.js';

/** Rules on tools, the choice among them and the output schema [R §3.25-3.32]. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = objectsOf(body.tools);
  return [...tools.flatMap(checkTool), ...checkChoice(body.tool_choice, tools), ...checkFormat(body)];
}

function checkTool(tool: JsonObject, index: number): Violation[] {
  const at = `tools[${index}]`;
  switch (tool.type) {
    case 'function':
      return [...checkName(tool, at), ...(isObject(tool.parameters) ? checkParameters(tool, tool.parameters, at) : [])];
    case 'custom':
      return checkName(tool, at);
    case 'file_search': {
      const { score_threshold: threshold } = objectOf(tool.ranking_options);
      return [
        ...checkWithin(`${at}.max_num_results`, tool.max_num_results, 1, 50),
        ...checkWithin(`${at}.ranking_options.score_threshold`, threshold, 0, 1),
      ];
    }
    default:
      return [];
  }
}

/** The alphabet of names. */
export function checkName({ name }: JsonObject, at: string): Violation[] {
  const param = `${at}.name`;
  const message = `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  return when(!/^[a-zA-Z0-9_-]+$/.test(stringOf(name)), message, { param, code: 'invalid_value' });
}

/** Bounds of the file search [R §2.6]. */
function checkWithin(param: string, value: unknown, low: number, high: number): Violation[] {
  const message = `Invalid '${param}': expected a value between ${low} and ${high}, but got ${value} instead.`;
  return when(typeof value === 'number' && (value < low || value > high), message, { param, code: 'invalid_value' });
}

/** The schema of a function's arguments, and whether it fits where the tool is strict. */
export function checkParameters(tool: JsonObject, schema: JsonObject, at: string): Violation[] {
  const where = { param: `${at}.parameters`, code: 'invalid_function_parameters' };
  const prefix = `Invalid schema for function '${stringOf(tool.name)}': `;
  const combined = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'].some((key) => key in schema);
  const message = `${prefix}schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
  return [
    ...when(schema.type !== 'object' || combined, message, where),
    ...(tool.strict === true ? findUnfit(schema, []) : []).map((unfit) => ({ ...where, message: prefix + unfit })),
  ];
}

const REFUSED = ['allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'oneOf'];

/** What keeps a schema from being strict, with the place as the service prints it [R §3.31, §3.32]. */
export function findUnfit(schema: JsonObject, path: readonly string[]): string[] {
  const at = `In context=(${path.map((key) => `'${key}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  const properties = objectOf(schema.properties);
  const required = new Set(stringsOf(schema.required));
  const refused = REFUSED.find((key) => key in schema);
  const absent = Object.keys(properties).find((name) => !required.has(name));
  if (refused !== undefined) return [`${at}, '${refused}' is not permitted.`];
  if ([schema.type].flat().includes('object') && schema.additionalProperties !== false) {
    return [`${at}, 'additionalProperties' is required to be supplied and to be false.`];
  }
  if (absent !== undefined) {
    return [
      `${at}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${absent}'.`,
    ];
  }
  const maps = { properties, $defs: objectOf(schema.$defs), anyOf: { ...objectsOf(schema.anyOf) } };
  const children = Object.entries(maps).flatMap(([key, map]) =>
    Object.entries(map).flatMap(([name, node]) => (isObject(node) ? findUnfit(node, [...path, key, name]) : [])),
  );
  return isObject(schema.items) ? [...children, ...findUnfit(schema.items, [...path, 'items'])] : children;
}

function checkChoice(choice: unknown, tools: readonly JsonObject[]): Violation[] {
  const where = { param: 'tool_choice' };
  const wanted = isObject(choice) ? (choice.type === 'allowed_tools' ? objectsOf(choice.tools) : [choice]) : [];
  const held = new Set(tools.flatMap((tool) => [keyOf(tool), `family ${familyOf(tool.type)}`]));
  const absent = wanted.find((one) => !held.has(keyOf(one))) ?? {};
  const name = absent.name ?? absent.server_label ?? absent.type;
  return [
    ...when(
      choice === 'required' && tools.length === 0,
      "Tool choice 'required' must be specified with 'tools' parameter.",
      where,
    ),
    ...when(name !== undefined, `Tool choice '${name}' not found in 'tools' parameter.`, where),
  ];
}

/** What a tool is chosen by. */
function keyOf({ type, name, server_label: label }: JsonObject): string {
  if (type === 'mcp') return `mcp ${label}`;
  return typeof name === 'string' ? `${type} ${name}` : `family ${familyOf(type)}`;
}

/** The kind of a hosted tool, whatever its version. */
function familyOf(type: unknown): string {
  return stringOf(type)
    .slice(0, 64)
    .replace(/_preview.*$|_use.*$|_\d{4}_\d{2}_\d{2}$/, '');
}

function checkFormat({ text, input }: JsonObject): Violation[] {
  const { type, name, schema: given, strict } = objectOf(objectOf(text).format);
  if (type === 'json_object') {
    const words = typeof input === 'string' ? input : JSON.stringify(objectsOf(input).map(({ content }) => content));
    const message =
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
    return when(!/json/i.test(words), message, { param: 'input' });
  }
  if (type !== 'json_schema') return [];
  const schema = objectOf(given);
  const where = { param: 'text.format.schema', code: 'invalid_json_schema' };
  const prefix = `Invalid schema for response_format '${stringOf(name)}': `;
  return [
    ...when(
      !/^[A-Za-z0-9_-]{1,64}$/.test(stringOf(name)),
      "Invalid 'text.format.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      { param: 'text.format.name', code: 'invalid_value' },
    ),
    ...when(schema.type !== 'object', `${prefix}schema must be a JSON Schema of 'type: "object"'.`, where),
    ...(strict === true ? findUnfit(schema, []) : []).map((unfit) => ({ ...where, message: prefix + unfit })),
  ];
}
