import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import { type Violation, when } from '../violation.js';
import { fault } from './field-rules.js';
import type { Host } from './shapes.js';

/** What the rules on tools depend on besides the body. */
export interface ContentModel {
  /** A 1.x or 2.x model, which cannot do what the later ones can [G §4.18, §4.21]. */
  readonly old: boolean;
  readonly host: Host;
  /** Takes tools of all kinds together. */
  readonly takesAll: boolean;
}

const MOST_DECLARATIONS = 512;

/** Rules on declarations, built-in tools and the choice among functions [G §4.15-4.22]. `body` is in camelCase. */
export function checkTools(body: JsonObject, model: ContentModel): Violation[] {
  const tools = objectsOf(body.tools);
  const declarations = tools.flatMap((tool) => objectsOf(tool.functionDeclarations));
  const names = new Set<string>();
  const twice = declarations.filter(({ name }) => names.size === names.add(stringOf(name)).size);
  const config = objectOf(body.toolConfig);
  const many = declarations.length > MOST_DECLARATIONS;
  return [
    ...fault(many, 'tools[0].function_declarations', `at most ${MOST_DECLARATIONS}.`),
    ...declarations.flatMap(checkDeclaration),
    ...when(twice.length > 0, `Duplicate function declaration found: ${twice[0]?.name}`),
    ...(model.takesAll ? [] : checkMixture(tools, declarations.length > 0, config, model)),
    ...checkChoice(objectOf(config.functionCallingConfig), names),
  ];
}

function checkDeclaration(declaration: JsonObject, index: number): Violation[] {
  const { name, parameters, parametersJsonSchema: json } = declaration;
  const at = `tools[0].function_declarations[${index}]`;
  const isRecord = isObject(json) && (json.type === 'object' || isObject(json.properties) || Boolean(json.$ref));
  const keys = Object.keys(objectOf(objectOf(parameters ?? json).properties));
  const odd = keys.find((key) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key));
  return [
    ...fault(
      !/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(stringOf(name)),
      `${at}.name`,
      'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.',
    ),
    ...fault(
      parameters !== undefined && json !== undefined,
      at,
      'parameters and parameters_json_schema are mutually exclusive.',
    ),
    ...fault(json !== undefined && !isRecord, `${at}.parameters_json_schema`, 'must describe an object.'),
    ...fault(odd !== undefined, `${at}.parameters.properties`, `Invalid parameter name '${odd}'.`),
    ...checkSchema(parameters, `${at}.parameters`),
  ];
}

const SCHEMA_TYPES = ['', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];

/** Rules on the OpenAPI-like `Schema` [G §3.1]. */
function checkSchema(schema: unknown, at: string): Violation[] {
  if (!isObject(schema)) return [];
  const type = stringOf(schema.type).toUpperCase();
  const properties = objectOf(schema.properties);
  const absent = stringsOf(schema.required).find((name) => !Object.hasOwn(properties, name));
  return [
    ...fault(!SCHEMA_TYPES.includes(type), `${at}.type`, `Invalid value (TYPE_ENUM), "${stringOf(schema.type)}"`),
    ...fault(schema.properties !== undefined && type !== 'OBJECT', `${at}.properties`, 'only allowed for OBJECT type'),
    ...fault(absent !== undefined, `${at}.required`, `property is not defined: ${absent}`),
    ...fault(type === 'ARRAY' && !isObject(schema.items), `${at}.items`, 'missing field.'),
    ...fault(stringsOf(schema.enum).includes(''), `${at}.enum`, 'cannot be empty'),
    ...Object.entries(properties).flatMap(([name, inner]) => checkSchema(inner, `${at}.properties[${name}]`)),
    ...checkSchema(schema.items, `${at}.items`),
    ...objectsOf(schema.anyOf).flatMap((branch, index) => checkSchema(branch, `${at}.any_of[${index}]`)),
  ];
}

const SEARCH = ['googleSearch', 'googleSearchRetrieval', 'enterpriseWebSearch', 'exaAiSearch', 'parallelAiSearch'];

/** Which tools a model takes together [G §4.18-4.20]. */
function checkMixture(
  tools: readonly JsonObject[],
  hasFunctions: boolean,
  { includeServerSideToolInvocations: flag }: JsonObject,
  { old, host }: ContentModel,
): Violation[] {
  // Calls of the computer tool come back as ordinary function calls, so it is no server-side tool.
  const served = tools
    .flatMap((tool) => Object.keys(tool))
    .filter((key) => key !== 'functionDeclarations' && key !== 'computerUse');
  const kinds = new Set(served.map((key) => SEARCH.includes(key)));
  const both = hasFunctions && served.length > 0;
  return [
    ...when(flag !== undefined && host === 'cloud', 'include_server_side_tool_invocations is not supported.'),
    ...when(flag === true && old, 'Tool call context circulation is not enabled for this model.'),
    ...when(
      !hasFunctions && old && kinds.size > 1,
      'Multiple tools are supported only when they are all search tools.',
    ),
    ...when(both && old, 'Tool use with function calling is unsupported by the model.'),
    ...when(
      both && host !== 'cloud' && flag !== true,
      'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    ),
  ];
}

function checkChoice({ mode, allowedFunctionNames }: JsonObject, names: ReadonlySet<string>): Violation[] {
  const allowed = stringsOf(allowedFunctionNames);
  const absent = allowed.find((name) => !names.has(name));
  return [
    ...when(
      allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED',
      'Function calling config: allowed_function_names can only be set when mode is ANY or VALIDATED.',
    ),
    ...when(absent !== undefined, `Function calling config: allowed function name '${absent}' is not declared.`),
  ];
}

/** Rules on generationConfig and the cache [G §2.6, §2.7, §4.21, §4.23-4.25]. */
export function checkConfig(body: JsonObject, old: boolean): Violation[] {
  const config = objectOf(body.generationConfig);
  const { responseMimeType: mime, logprobs } = config;
  const { thinkingBudget, thinkingLevel } = objectOf(config.thinkingConfig);
  const structured = mime === 'application/json' || mime === 'text/x.enum';
  const schemas = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'].filter((key) => key in config);
  const functions = objectsOf(body.tools).some((tool) => objectsOf(tool.functionDeclarations).length > 0);
  const budget = numberOf(thinkingBudget) ?? 0;
  const cached = ['systemInstruction', 'tools', 'toolConfig'].some((key) => key in body);
  return [
    ...fault(
      typeof mime === 'string' && !structured && mime !== 'text/plain',
      'generation_config.response_mime_type',
      `allowed mimetypes are \`text/plain\`, \`application/json\` and \`text/x.enum\`, not ${JSON.stringify(mime)}.`,
    ),
    ...when(
      schemas.length > 0 && !structured,
      `Response schema is not supported with mime type ${JSON.stringify(mime ?? 'text/plain')}; use application/json or text/x.enum.`,
    ),
    ...when(schemas.length > 1, 'response_schema and response_json_schema are mutually exclusive.'),
    ...when(
      logprobs !== undefined && config.responseLogprobs !== true,
      'logprobs can only be set when response_logprobs is true.',
    ),
    ...when(
      old && functions && mime === 'application/json',
      "Function calling with a response mime type: 'application/json' is unsupported",
    ),
    ...when(
      budget < -1 || budget > 32_768,
      `The thinking budget ${budget} is invalid. Please choose a value between -1 and 32768.`,
    ),
    ...when(
      thinkingBudget !== undefined && thinkingLevel !== undefined,
      'You can only set one of thinking budget and thinking level.',
    ),
    ...when(old && thinkingLevel !== undefined, 'Thinking level is not supported for this model.'),
    ...when(
      body.cachedContent !== undefined && cached,
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    ),
    ...checkSchema(config.responseSchema, 'generation_config.response_schema'),
  ];
}
