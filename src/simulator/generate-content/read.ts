import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { OutputForm, Tool, ToolOutcome, View } from '../plan.js';
import { countTokens } from '../tokens.js';

/** Free-form values, whose keys are the caller's own [G §2.1]. */
const FREE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'partMetadata',
  'labels',
]);

/** Fields that are lists. */
const LISTS = new Set([
  'contents',
  'parts',
  'tools',
  'functionDeclarations',
  'safetySettings',
  'stopSequences',
  'responseModalities',
  'allowedFunctionNames',
]);

/**
 * The same value with every field name in camelCase, and with a list wherever one belongs: the service takes both
 * spellings, and one value in the place of a list [G §2.1].
 */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const name = key.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
      if (LISTS.has(name) && entry !== null && !Array.isArray(entry)) return [name, [toCamelCase(entry)]];
      // Within a part's `functionResponse` the free value is `response`; its siblings are ordinary fields.
      return [name, FREE.has(name) ? entry : toCamelCase(entry)];
    }),
  );
}

/** Whether the model thinks, and whether it shows it [G §2.6]. */
export function readThinking(body: JsonObject): { readonly thinks: boolean; readonly shows: boolean } {
  const { includeThoughts, thinkingBudget, thinkingLevel } = objectOf(objectOf(body.generationConfig).thinkingConfig);
  const shows = includeThoughts === true;
  const budget = numberOf(thinkingBudget);
  return { shows, thinks: budget !== 0 && (shows || budget !== undefined || typeof thinkingLevel === 'string') };
}

/** The request as the script wants to see it; `body` is in camelCase. */
export function readContent(body: JsonObject, model: string): View {
  const contents = objectsOf(body.contents);
  const lastSpoken = contents.findLastIndex((content) => content.role === 'model');
  const current =
    lastSpoken === contents.length - 1
      ? contents.filter((content) => content.role !== 'model').slice(-1)
      : contents.slice(lastSpoken + 1);
  const parts = current.flatMap((content) => objectsOf(content.parts));
  const config = objectOf(body.generationConfig);
  const system = typeof body.systemInstruction === 'string' ? body.systemInstruction : textOf(body.systemInstruction);
  const prefixTokens = countTokens(system) + countTokens(body.tools ? JSON.stringify(body.tools) : '');
  const all = contents.flatMap((content) => objectsOf(content.parts));
  return {
    model,
    userText: parts.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join('\n'),
    results: parts.flatMap((part) => (isObject(part.functionResponse) ? [readResult(part.functionResponse)] : [])),
    media: parts.flatMap(readMedia),
    tools: objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations).map(readTool)),
    choice: readChoice(objectOf(objectOf(body.toolConfig).functionCallingConfig)),
    parallel: true,
    wantsReasoning: readThinking(body).thinks,
    output: readOutput(config),
    ...(numberOf(config.maxOutputTokens) === undefined ? {} : { maxTokens: Number(config.maxOutputTokens) }),
    stop: stringsOf(config.stopSequences),
    promptTokens: prefixTokens + all.reduce((sum, part) => sum + countPart(part), 0),
    prefixTokens,
    laterTurn: lastSpoken >= 0,
  };
}

function textOf(content: unknown): string {
  return objectsOf(objectOf(content).parts)
    .map((part) => stringOf(part.text))
    .join('\n');
}

/** `output` holds a result, `error` a failure; with neither the whole object is the result [G §2.4]. */
function readResult(response: JsonObject): ToolOutcome {
  const body = objectOf(response.response);
  const isError = body.error !== undefined && body.output === undefined;
  const value = isError ? body.error : (body.output ?? body);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { name: stringOf(response.name), text, isError };
}

function readMedia(part: JsonObject): string[] {
  const nested = objectsOf(objectOf(part.functionResponse).parts).flatMap(readMedia);
  if (isObject(part.inlineData)) return [stringOf(part.inlineData.mimeType, 'unknown'), ...nested];
  if (isObject(part.fileData)) return [stringOf(part.fileData.mimeType, 'file by URL'), ...nested];
  return nested;
}

function readTool(declaration: JsonObject): Tool {
  const schema = declaration.parametersJsonSchema ?? declaration.parameters;
  const name = stringOf(declaration.name);
  return isObject(schema) ? { name, schema } : { name };
}

function readChoice({ mode, allowedFunctionNames }: JsonObject): View['choice'] {
  const only = Array.isArray(allowedFunctionNames) ? { only: stringsOf(allowedFunctionNames) } : {};
  if (mode === 'ANY') return { mode: 'required', ...only };
  return mode === 'NONE' ? { mode: 'none' } : { mode: 'auto', ...only };
}

function readOutput(config: JsonObject): OutputForm {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  if (config.responseMimeType === 'text/x.enum') {
    return { kind: 'enum', values: stringsOf(objectOf(schema).enum) };
  }
  if (config.responseMimeType !== 'application/json') return { kind: 'text' };
  return isObject(schema) ? { kind: 'schema', schema } : { kind: 'json' };
}

const TOKENS_PER_MEDIUM = 258;

function countPart(part: JsonObject): number {
  const media = readMedia(part).length * TOKENS_PER_MEDIUM;
  if (isObject(part.functionCall)) return 1 + countTokens(JSON.stringify(part.functionCall.args ?? {}, null, 1));
  if (isObject(part.functionResponse)) return media + 1 + countTokens(readResult(part.functionResponse).text);
  return media + countTokens(stringOf(part.text));
}
