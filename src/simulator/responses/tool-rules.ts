import { isObject, type JsonObject, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { Violation } from '../violation.js';

/** Rules on tools, the choice among them and the output schema [R §3.25-3.32]. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = objectsOf(body.tools);
  return [...tools.flatMap(checkTool), ...checkChoice(body.tool_choice, tools), ...checkFormat(body)];
}

function checkTool(tool: JsonObject, index: number): Violation[] {
  if (tool.type === 'file_search') return checkFileSearch(tool, index);
  if (tool.type !== 'function' && tool.type !== 'custom') return [];
  const name = stringOf(tool.name);
  const param = `tools[${index}].name`;
  if (name.length > 64) {
    const message = `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`;
    return [{ message, param, code: 'string_above_max_length' }];
  }
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    const message = `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    return [{ message, param, code: 'invalid_value' }];
  }
  return tool.type === 'function' && isObject(tool.parameters) ? checkParameters(tool, tool.parameters, index) : [];
}

/** Bounds of the file search [R §2.6]. */
function checkFileSearch(tool: JsonObject, index: number): Violation[] {
  const at = `tools[${index}]`;
  const found: Violation[] = [];
  const within = (param: string, value: unknown, low: number, high: number): void => {
    if (typeof value !== 'number' || (value >= low && value <= high)) return;
    const message = `Invalid '${param}': expected a value between ${low} and ${high}, but got ${value} instead.`;
    found.push({ message, param, code: 'invalid_value' });
  };
  within(`${at}.max_num_results`, tool.max_num_results, 1, 50);
  within(`${at}.ranking_options.score_threshold`, objectOf(tool.ranking_options).score_threshold, 0, 1);
  return found;
}

function checkParameters(tool: JsonObject, schema: JsonObject, index: number): Violation[] {
  const where = { param: `tools[${index}].parameters`, code: 'invalid_function_parameters' };
  const prefix = `Invalid schema for function '${stringOf(tool.name)}': `;
  if (schema.type !== 'object' || ['anyOf', 'oneOf', 'allOf', 'enum', 'not'].some((key) => key in schema)) {
    const message = `${prefix}schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
    return [{ ...where, message }];
  }
  if (tool.strict !== true) return [];
  const [unfit] = findUnfit(schema, []);
  return unfit === undefined ? [] : [{ ...where, message: prefix + unfit }];
}

const REFUSED = ['allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'oneOf'];

/** What keeps a schema from being strict, with the place as the service prints it [R §3.31, §3.32]. */
function findUnfit(schema: JsonObject, path: readonly string[]): string[] {
  const at = `In context=(${path.map((key) => `'${key}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  const refused = REFUSED.find((key) => key in schema);
  if (refused) return [`${at}, '${refused}' is not permitted.`];
  const properties = objectOf(schema.properties);
  const isObjectNode = schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object'));
  if (isObjectNode && schema.additionalProperties !== false) {
    return [`${at}, 'additionalProperties' is required to be supplied and to be false.`];
  }
  const required = new Set(stringsOf(schema.required));
  const missing = Object.keys(properties).find((name) => !required.has(name));
  if (missing !== undefined) {
    return [
      `${at}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    ];
  }
  const children: [string[], unknown][] = [
    ...Object.entries(properties).map(([name, node]): [string[], unknown] => [['properties', name], node]),
    ...Object.entries(objectOf(schema.$defs)).map(([name, node]): [string[], unknown] => [['$defs', name], node]),
    ...objectsOf(schema.anyOf).map((node, index): [string[], unknown] => [['anyOf', String(index)], node]),
    [['items'], schema.items],
  ];
  return children.flatMap(([keys, node]) => (isObject(node) ? findUnfit(node, [...path, ...keys]) : []));
}

function checkChoice(choice: unknown, tools: readonly JsonObject[]): Violation[] {
  const where = { param: 'tool_choice' };
  if (choice === 'required' && tools.length === 0) {
    return [{ ...where, message: "Tool choice 'required' must be specified with 'tools' parameter." }];
  }
  if (!isObject(choice)) return [];
  const named = choice.type === 'allowed_tools' ? objectsOf(choice.tools) : [choice];
  const held = new Set(tools.flatMap(keysOf));
  const absent = named.find((wanted) => !held.has(keyOf(wanted)));
  if (!absent) return [];
  const name = stringOf(absent.name, stringOf(absent.server_label, stringOf(absent.type)));
  return [{ ...where, message: `Tool choice '${name}' not found in 'tools' parameter.` }];
}

/** What a tool can be chosen by. */
function keysOf(tool: JsonObject): string[] {
  return [
    `family ${familyOf(tool.type)}`,
    ...(tool.type === 'mcp' ? [`mcp ${String(tool.server_label)}`] : []),
    `${String(tool.type)} ${String(tool.name)}`,
  ];
}

function keyOf(wanted: JsonObject): string {
  if (wanted.type === 'mcp') return `mcp ${String(wanted.server_label)}`;
  return typeof wanted.name === 'string' ? `${String(wanted.type)} ${wanted.name}` : `family ${familyOf(wanted.type)}`;
}

/** The kind of a hosted tool, whatever its version. */
function familyOf(type: unknown): string {
  return stringOf(type)
    .slice(0, 64)
    .replace(/_preview.*$|_use.*$|_\d{4}_\d{2}_\d{2}$/, '');
}

function checkFormat(body: JsonObject): Violation[] {
  const format = objectOf(objectOf(body.text).format);
  if (format.type === 'json_object') {
    const text =
      typeof body.input === 'string' ? body.input : JSON.stringify(objectsOf(body.input).map((item) => item.content));
    if (/json/i.test(text)) return [];
    const message =
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
    return [{ message, param: 'input' }];
  }
  if (format.type !== 'json_schema') return [];
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(stringOf(format.name))) {
    const message =
      "Invalid 'text.format.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
    return [{ message, param: 'text.format.name', code: 'invalid_value' }];
  }
  const schema = objectOf(format.schema);
  const [unfit] = format.strict === true ? findUnfit(schema, []) : [];
  const where = { param: 'text.format.schema', code: 'invalid_json_schema' };
  const prefix = `Invalid schema for response_format '${stringOf(format.name)}': `;
  if (schema.type !== 'object')
    return [{ ...where, message: `${prefix}schema must be a JSON Schema of 'type: "object"'.` }];
  return unfit === undefined ? [] : [{ ...where, message: prefix + unfit }];
}
