import { calledBy } from '../../../src/migrate/plain/index.js';
import { isObject } from '../detect.js';
import type { DialectId, JsonObject } from '../library.js';
import type { Call } from './call.js';
import { type GenerateCall, wireOf } from './google.js';
import { type Arguments, createReader, NotData } from './literal.js';

/** A program with a call in it; `fault` = the line of what is no plain data in it. */
export type Program = { readonly call: Call; readonly by: string } | { readonly by: string; readonly fault: number };

interface Method {
  readonly pattern: RegExp;
  readonly dialect: DialectId;
  readonly by: string;
}

/** Calls of the vendors' SDKs: the names of their methods are the same in JavaScript and Python but for the case. */
const METHODS: readonly Method[] = [
  {
    pattern: /\.\s*messages\s*\.\s*(create|stream|parse|toolRunner|tool_runner)\s*\(/,
    dialect: 'messages',
    by: "Anthropic's SDK",
  },
  { pattern: /\.\s*responses\s*\.\s*(create|stream|parse)\s*\(/, dialect: 'responses', by: "OpenAI's SDK" },
  {
    pattern: /\.\s*chat\s*\.\s*completions\s*\.\s*(create|stream|parse)\s*\(/,
    dialect: 'chatCompletions',
    by: "OpenAI's SDK",
  },
  {
    pattern: /\.\s*models\s*\.\s*(generateContent(?:Stream)?|generate_content(?:_stream)?)\s*\(/,
    dialect: 'generateContent',
    by: "Google's SDK",
  },
];

const REQUEST = /\b(?:fetch|(?:requests|httpx|client|session)\s*\.\s*post|axios\s*\.\s*post)\s*\(/;

const ASSIGNED = /^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=\n]{1,80})?=(?![=>])\s*/gm;

/** Finds a call of an SDK, or of `fetch` and its kin, and reads what it sends. undefined where there is none. */
export function readProgram(text: string): Program | undefined {
  const method = METHODS.find(({ pattern }) => pattern.test(text));
  const found = (method?.pattern ?? REQUEST).exec(text);
  if (found === null) return undefined;
  const by = method?.by ?? 'a program';
  const reader = createReader(text, namesIn(text.slice(0, found.index)));
  try {
    const args = reader.argumentsAt(found.index + found[0].length - 1);
    const call = method === undefined ? requestOf(args) : sdkCall(method, found[1] ?? '', args);
    return call === undefined ? undefined : { by, call };
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    return { by, fault: text.slice(0, error.at).split('\n').length };
  }
}

/** An object as JavaScript or Python writes it, which is no JSON; undefined where a text is none. */
export function readObject(text: string): JsonObject | undefined {
  const reader = createReader(text, new Map());
  try {
    const value = reader.valueAt(0);
    return isObject(value) && reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}

/** The values that names were given before, where these are plain data. */
function namesIn(text: string): ReadonlyMap<string, unknown> {
  const names = new Map<string, unknown>();
  const reader = createReader(text, names);
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(ASSIGNED)) {
    try {
      names.set(name, reader.valueAt(index + whole.length));
    } catch (error) {
      if (!(error instanceof NotData)) throw error;
    }
  }
  return names;
}

function sdkCall({ dialect }: Method, name: string, { positional, named }: Arguments): Call {
  const [first, options] = positional;
  const given = isObject(first) ? first : named;
  const { extra_headers: extra, extra_body: more, betas, timeout: _, ...plain } = given;
  const headers = headersOf(isObject(options) ? options.headers : extra);
  if (Array.isArray(betas)) headers.set('anthropic-beta', betas.join(','));
  const stream = /stream/i.test(name);
  if (dialect === 'generateContent') {
    const { body, model }: GenerateCall = wireOf(plain);
    return { text: laidOut(body), headers, dialect, stream, ...(model !== undefined && { model }) };
  }
  const body = { ...plain, ...(isObject(more) && more), ...(stream && { stream }) };
  return { text: laidOut(body), headers, dialect };
}

/** `fetch(url, { headers, body })`, `requests.post(url, headers=…, json=…)`. */
function requestOf({ positional, named }: Arguments): Call | undefined {
  const [url = named.url, second, third] = positional;
  const options = isObject(second) && !('body' in second || 'method' in second) ? undefined : second;
  const { body, headers } = isObject(options)
    ? options
    : {
        body: second ?? named.json ?? named.data ?? named.content,
        headers: isObject(third) ? third.headers : named.headers,
      };
  if (typeof url !== 'string' || (typeof body !== 'string' && !isObject(body))) return undefined;
  const called = calledBy(url);
  const text = typeof body === 'string' ? body : laidOut(body);
  return { text, headers: headersOf(headers), ...(called && { dialect: called.from, ...called }) };
}

function headersOf(value: unknown): Map<string, string> {
  const named = isObject(value) ? Object.entries(value) : [];
  return new Map(named.map(([name, one]) => [name.toLowerCase(), String(one)]));
}

const laidOut = (value: unknown): string => JSON.stringify(value, null, 2);
