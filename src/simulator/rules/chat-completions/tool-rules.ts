import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { checkName, checkParameters, findUnfit } from '../responses/tool-rules.js';
import { type Violation, when } from '../violation.js';

const MOST_TOOLS = 128;

/** Rules on tools, the choice among them and the output schema [H §4.1, §4.2, §5]. */
export function checkTools(body: JsonObject): Violation[] {
  const tools = objectsOf(body.tools);
  return [
    ...when(
      tools.length > MOST_TOOLS,
      `Invalid 'tools': array too long. Expected an array with maximum length ${MOST_TOOLS}, but got an array with length ${tools.length} instead.`,
      { param: 'tools', code: 'array_above_max_length' },
    ),
    ...tools.flatMap((tool, index) => checkTool(tool, `tools[${index}]`)),
    ...objectsOf(body.functions).flatMap((tool, index) => checkFunction(tool, `functions[${index}]`)),
    ...checkChoice(body, tools),
    ...checkFormat(body),
  ];
}

function checkTool(tool: JsonObject, at: string): Violation[] {
  return tool.type === 'function'
    ? checkFunction(objectOf(tool.function), `${at}.function`)
    : checkName(objectOf(tool.custom), `${at}.custom`);
}

function checkFunction(tool: JsonObject, at: string): Violation[] {
  const { parameters } = tool;
  return [...checkName(tool, at), ...(isObject(parameters) ? checkParameters(tool, parameters, at) : [])];
}

function checkChoice({ tool_choice: choice, parallel_tool_calls: parallel }: JsonObject, tools: readonly JsonObject[]) {
  const none = tools.length === 0;
  const wanted = !isObject(choice)
    ? []
    : choice.type === 'allowed_tools'
      ? objectsOf(objectOf(choice.allowed_tools).tools)
      : [choice];
  const held = new Set(tools.map(nameOf));
  const absent = wanted.map(nameOf).find((name) => !held.has(name));
  const alone = (param: string): string => `'${param}' is only allowed when 'tools' are specified.`;
  return [
    ...when(none && choice !== undefined && choice !== 'none', alone('tool_choice'), { param: 'tool_choice' }),
    ...when(none && parallel !== undefined, alone('parallel_tool_calls'), { param: 'parallel_tool_calls' }),
    ...when(absent !== undefined, `Tool choice '${absent}' not found in 'tools' parameter.`, { param: 'tool_choice' }),
  ];
}

function nameOf({ type, function: named, custom }: JsonObject): string {
  return stringOf(objectOf(type === 'custom' ? custom : named).name);
}

function checkFormat({ response_format: format, messages }: JsonObject): Violation[] {
  const { type, json_schema } = objectOf(format);
  if (type === 'json_object') {
    const words = JSON.stringify(objectsOf(messages).map(({ content }) => content));
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    return when(!/json/i.test(words), message, { param: 'messages' });
  }
  if (type !== 'json_schema') return [];
  const { name, schema: given, strict } = objectOf(json_schema);
  const schema = objectOf(given);
  const where = { param: 'response_format', code: 'invalid_json_schema' };
  const prefix = `Invalid schema for response_format '${stringOf(name)}': `;
  return [
    ...checkName({ name }, 'response_format.json_schema'),
    ...when(
      strict === true && schema.type !== 'object',
      `${prefix}schema must be a JSON Schema of 'type: "object"'.`,
      where,
    ),
    ...(strict === true ? findUnfit(schema, []) : []).map((unfit) => ({ ...where, message: prefix + unfit })),
  ];
}
