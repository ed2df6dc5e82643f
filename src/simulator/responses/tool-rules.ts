import { isObject, type JsonObject, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { Violation } from '../violation.js';

/** Rules on tools, the choice among them and the output schema [R §3.25-3.32]. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = objectsOf(body.tools);
  return [...tools.flatMap(checkTool), ...checkChoice(body.tool_choice, tools), ...checkFormat(body)];
}

function checkTool(tool: JsonObject, index: number): Violation[] {
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
  const missing = Object.keys(properties).find((name) => !stringsOf(schema.required).includes(name));
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
  const absent = named.find((wanted) => !tools.some((tool) => matches(wanted, tool)));
  if (!absent) return [];
  const name = stringOf(absent.name, stringOf(absent.server_label, stringOf(absent.type)));
  return [{ ...where, message: `Tool choice '${name}' not found in 'tools' parameter.` }];
}

function matches(wanted: JsonObject, tool: JsonObject): boolean {
  if (wanted.type === 'mcp') return tool.type === 'mcp' && tool.server_label === wanted.server_label;
  if (typeof wanted.name === 'string') return tool.type === wanted.type && tool.name === wanted.name;
  const family = (type: unknown): string => stringOf(type).replace(/_preview.*$|_use.*$|_\d{4}_\d{2}_\d{2}$/, '');
  return family(tool.type) === family(wanted.type);
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
