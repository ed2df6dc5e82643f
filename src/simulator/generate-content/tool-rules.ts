import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { Violation } from '../violation.js';

/** What the rules on tools and settings depend on besides the body. */
export interface ContentModel {
  /** A 1.x or 2.x model, which cannot do what the later ones can [G §4.18, §4.21]. */
  readonly old: boolean;
  readonly host: 'dev' | 'cloud';
  /** Takes tools of all kinds together. */
  readonly takesAll?: boolean;
}

const MOST_DECLARATIONS = 512;

const SEARCH = ['googleSearch', 'googleSearchRetrieval', 'enterpriseWebSearch', 'exaAiSearch', 'parallelAiSearch'];

/** Rules on declarations, built-in tools and the choice among functions [G §4.15-4.22]. `body` is in camelCase. */
export function checkTools(body: JsonObject, model: ContentModel): Violation[] {
  const tools = objectsOf(body.tools);
  const declarations = tools.flatMap((tool) => objectsOf(tool.functionDeclarations));
  const names = new Set<string>();
  let twice: string | undefined;
  for (const name of declarations.map((declaration) => stringOf(declaration.name))) {
    if (names.has(name)) twice ??= name;
    names.add(name);
  }
  const many = `* GenerateContentRequest.tools[0].function_declarations: at most ${MOST_DECLARATIONS}.\n`;
  return [
    ...(declarations.length > MOST_DECLARATIONS ? [{ message: many }] : []),
    ...declarations.flatMap(checkDeclaration),
    ...(twice === undefined ? [] : [{ message: `Duplicate function declaration found: ${twice}` }]),
    ...checkMixture(tools, declarations.length > 0, objectOf(body.toolConfig), model),
    ...checkChoice(objectOf(objectOf(body.toolConfig).functionCallingConfig), names),
  ];
}

function checkDeclaration(declaration: JsonObject, index: number): Violation[] {
  const at = `GenerateContentRequest.tools[0].function_declarations[${index}]`;
  const name = stringOf(declaration.name);
  if (!/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name)) {
    return [
      {
        message: `* ${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
      },
    ];
  }
  if (declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined) {
    return [{ message: `* ${at}: parameters and parameters_json_schema are mutually exclusive.\n` }];
  }
  const json = declaration.parametersJsonSchema;
  if (json !== undefined && !(isObject(json) && (json.type === 'object' || isObject(json.properties) || json.$ref))) {
    return [{ message: `* ${at}.parameters_json_schema: must describe an object.\n` }];
  }
  const schema = objectOf(declaration.parameters ?? json);
  const odd = Object.keys(objectOf(schema.properties)).find((key) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key));
  if (odd !== undefined) return [{ message: `* ${at}.parameters.properties: Invalid parameter name '${odd}'.\n` }];
  return checkSchema(declaration.parameters, `${at}.parameters`);
}

/** Semantic rules on the OpenAPI-like `Schema` [G §3.1]. */
function checkSchema(schema: unknown, at: string): Violation[] {
  if (!isObject(schema)) return [];
  const bad = (path: string, reason: string): Violation[] => [{ message: `* ${at}${path}: ${reason}\n` }];
  const type = stringOf(schema.type).toUpperCase();
  if (type !== '' && !['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'].includes(type)) {
    return bad('.type', `Invalid value (TYPE_ENUM), "${stringOf(schema.type)}"`);
  }
  const properties = objectOf(schema.properties);
  if (schema.properties !== undefined && type !== 'OBJECT') {
    return bad('.properties', 'only allowed for OBJECT type');
  }
  const undefinedName = stringsOf(schema.required).find((name) => !Object.hasOwn(properties, name));
  if (undefinedName !== undefined) return bad(`.required`, `property is not defined: ${undefinedName}`);
  if (type === 'ARRAY' && !isObject(schema.items)) return bad('.items', 'missing field.');
  if (stringsOf(schema.enum).includes('')) return bad('.enum', 'cannot be empty');
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => checkSchema(inner, `${at}.properties[${name}]`)),
    ...checkSchema(schema.items, `${at}.items`),
    ...objectsOf(schema.anyOf).flatMap((branch, index) => checkSchema(branch, `${at}.any_of[${index}]`)),
  ];
}

function checkMixture(
  tools: readonly JsonObject[],
  hasFunctions: boolean,
  config: JsonObject,
  { old, host, takesAll }: ContentModel,
): Violation[] {
  if (takesAll === true) return [];
  const builtIn = tools.flatMap((tool) => Object.keys(tool)).filter((key) => key !== 'functionDeclarations');
  const flag = config.includeServerSideToolInvocations;
  if (flag !== undefined && host === 'cloud') {
    return [{ message: 'include_server_side_tool_invocations is not supported.' }];
  }
  if (flag === true && old) return [{ message: 'Tool call context circulation is not enabled for this model.' }];
  // Calls of the computer tool come back as ordinary function calls, so it is no server-side tool.
  const serverSide = builtIn.filter((key) => key !== 'computerUse');
  if (!hasFunctions) {
    const mixed =
      old &&
      serverSide.length > 1 &&
      serverSide.some((key) => SEARCH.includes(key) !== SEARCH.includes(serverSide[0] ?? ''));
    return mixed ? [{ message: 'Multiple tools are supported only when they are all search tools.' }] : [];
  }
  if (serverSide.length === 0) return [];
  if (old) return [{ message: 'Tool use with function calling is unsupported by the model.' }];
  if (host === 'cloud' || flag === true) return [];
  return [
    {
      message:
        'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    },
  ];
}

function checkChoice({ mode, allowedFunctionNames }: JsonObject, names: ReadonlySet<string>): Violation[] {
  const allowed = stringsOf(allowedFunctionNames);
  if (allowed.length === 0) return [];
  if (mode !== 'ANY' && mode !== 'VALIDATED') {
    return [
      { message: 'Function calling config: allowed_function_names can only be set when mode is ANY or VALIDATED.' },
    ];
  }
  const absent = allowed.find((name) => !names.has(name));
  if (absent === undefined) return [];
  return [{ message: `Function calling config: allowed function name '${absent}' is not declared.` }];
}

/** Rules on generationConfig and the cache [G §2.6, §2.7, §4.21, §4.23-4.25]. */
export function checkConfig(body: JsonObject, { old }: ContentModel): Violation[] {
  const config = objectOf(body.generationConfig);
  const mime = config.responseMimeType;
  const found: string[] = [];
  const structured = mime === 'application/json' || mime === 'text/x.enum';
  if (typeof mime === 'string' && !structured && mime !== 'text/plain') {
    found.push(
      `* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are \`text/plain\`, \`application/json\` and \`text/x.enum\`, not ${JSON.stringify(mime)}.\n`,
    );
  }
  const schemas = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'].filter(
    (key) => config[key] !== undefined,
  );
  if (schemas.length > 0 && !structured) {
    found.push(
      `Response schema is not supported with mime type ${JSON.stringify(mime ?? 'text/plain')}; use application/json or text/x.enum.`,
    );
  }
  if (schemas.length > 1) found.push('response_schema and response_json_schema are mutually exclusive.');
  if (config.logprobs !== undefined && config.responseLogprobs !== true) {
    found.push('logprobs can only be set when response_logprobs is true.');
  }
  const functions = objectsOf(body.tools).some((tool) => objectsOf(tool.functionDeclarations).length > 0);
  if (old && functions && mime === 'application/json') {
    found.push("Function calling with a response mime type: 'application/json' is unsupported");
  }
  found.push(...checkThinking(objectOf(config.thinkingConfig), old), ...checkBounds(config));
  if (
    body.cachedContent !== undefined &&
    ['systemInstruction', 'tools', 'toolConfig'].some((key) => body[key] !== undefined)
  ) {
    found.push(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    );
  }
  return [
    ...found.map((message) => ({ message })),
    ...checkSchema(config.responseSchema, 'GenerateContentRequest.generation_config.response_schema'),
  ];
}

function checkThinking({ thinkingBudget, thinkingLevel }: JsonObject, old: boolean): string[] {
  const budget = numberOf(thinkingBudget);
  if (budget !== undefined && (budget < -1 || budget > 32_768)) {
    return [`The thinking budget ${budget} is invalid. Please choose a value between -1 and 32768.`];
  }
  if (thinkingBudget !== undefined && thinkingLevel !== undefined) {
    return ['You can only set one of thinking budget and thinking level.'];
  }
  return old && thinkingLevel !== undefined ? ['Thinking level is not supported for this model.'] : [];
}

/** Bounds of numbers, as the field is called in JSON and by the service [G §2.6]. */
const BOUNDS = [
  ['maxOutputTokens', 'max_output_tokens', 1, Number.MAX_SAFE_INTEGER],
  ['topK', 'top_k', 0, Number.MAX_SAFE_INTEGER],
  ['candidateCount', 'candidate_count', 1, Number.MAX_SAFE_INTEGER],
  ['logprobs', 'logprobs', 0, 20],
  ['presencePenalty', 'presence_penalty', -2, 2],
  ['frequencyPenalty', 'frequency_penalty', -2, 2],
] as const;

function checkBounds(config: JsonObject): string[] {
  const found: string[] = [];
  const outside = (field: string, low: number, high: number): boolean => {
    const value = numberOf(config[field]);
    return value !== undefined && (value < low || value > high);
  };
  if (outside('temperature', 0, 2))
    found.push('* GenerateContentRequest.generation_config.temperature: must be in the range [0.0, 2.0].\n');
  if (outside('topP', 0, 1))
    found.push('* GenerateContentRequest.generation_config.top_p: must be in the range [0.0, 1.0].\n');
  for (const [field, name, low, high] of BOUNDS) {
    if (!outside(field, low, high)) continue;
    const range = high === Number.MAX_SAFE_INTEGER ? `at least ${low}` : `in the range [${low}, ${high}]`;
    found.push(`* GenerateContentRequest.generation_config.${name}: must be ${range}.\n`);
  }
  if (outside('seed', -(2 ** 31), 2 ** 31 - 1)) found.push("Invalid value at 'generation_config.seed' (TYPE_INT32)");
  if (stringsOf(config.stopSequences).length > 5)
    found.push('* GenerateContentRequest.generation_config.stop_sequences: at most 5.\n');
  if ((numberOf(config.candidateCount) ?? 1) > 8)
    found.push('* GenerateContentRequest.generation_config.candidate_count: at most 8.\n');
  return found;
}
