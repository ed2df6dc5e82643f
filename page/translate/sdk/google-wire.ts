import { isObject } from '../detect.js';
import type { JsonObject } from '../library.js';
import type { Sent } from './sdk.js';

/** Members of `config` that are none of `generationConfig` in the body. */
export const BESIDE: ReadonlySet<string> = new Set([
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'serviceTier',
]);

/** Settings of the SDK itself. */
const OWN: ReadonlySet<string> = new Set([
  'httpOptions',
  'abortSignal',
  'automaticFunctionCalling',
  'shouldReturnHttpResponse',
]);

/** Below these, names are those of whoever calls. */
const FREE: ReadonlySet<string> = new Set([
  'args',
  'response',
  'properties',
  'labels',
  'responseJsonSchema',
  'parametersJsonSchema',
]);

/** The body that the SDK makes of its arguments, `{ model, contents, config }`, in either of its spellings. */
export function wireOf(given: JsonObject): Pick<Sent, 'body' | 'model'> {
  const { model, contents, config } = camelled(given) as JsonObject;
  const { systemInstruction, ...rest } = isObject(config) ? config : {};
  const settings = Object.entries(rest).filter(([name]) => !OWN.has(name));
  const beside = settings.filter(([name]) => BESIDE.has(name));
  const generationConfig = Object.fromEntries(settings.filter(([name]) => !BESIDE.has(name)));
  const [instruction] = systemInstruction === undefined ? [] : contentsOf(systemInstruction);
  const { httpOptions } = rest;
  const extra = isObject(httpOptions) && isObject(httpOptions.extraBody) ? httpOptions.extraBody : {};
  const body = {
    contents: contentsOf(contents),
    ...(instruction !== undefined && { systemInstruction: instruction }),
    ...Object.fromEntries(beside),
    ...extra,
    ...(Object.keys(generationConfig).length > 0 && {
      generationConfig: { ...generationConfig, ...(isObject(extra.generationConfig) && extra.generationConfig) },
    }),
  };
  return { body, ...(typeof model === 'string' && { model: model.replace(/^models\//, '') }) };
}

/** What stands for contents: a text, a part, a content, or a list of them. Parts that follow each other are one content. */
function contentsOf(value: unknown): JsonObject[] {
  const contents: { role?: unknown; parts: unknown[] }[] = [];
  let open: unknown[] | undefined;
  for (const one of Array.isArray(value) ? value : [value]) {
    if (isObject(one) && 'parts' in one) {
      const parts = Array.isArray(one.parts) ? one.parts : [one.parts];
      contents.push({ ...one, parts: parts.map(partOf) });
      open = undefined;
    } else if (open === undefined) {
      open = [partOf(one)];
      contents.push({ role: 'user', parts: open });
    } else open.push(partOf(one));
  }
  return contents;
}

const partOf = (value: unknown): unknown => (typeof value === 'string' ? { text: value } : value);

function camelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [own, FREE.has(own) ? member : camelled(member)];
    }),
  );
}
