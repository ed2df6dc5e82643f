import { calledBy } from '../../../src/migrate/plain/index.js';
import { isObject } from '../detect.js';
import { type DialectId, dialectIds, type JsonObject } from '../library.js';
import { SDKS, type Sdk } from '../sdk/index.js';
import type { Call } from './call.js';
import { type Arguments, createReader, NotData } from './literal.js';

/** A program with a call in it; `fault` = the line of what is no plain data in it. */
export type Program = { readonly call: Call; readonly by: string } | { readonly by: string; readonly fault: number };

const REQUEST = /\b(?:fetch|(?:requests|httpx|client|session)\s*\.\s*post|axios\s*\.\s*post)\s*\(/;

const ASSIGNED = /^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=\n]{1,80})?=(?![=>])\s*/gm;

interface SdkCall {
  readonly dialect: DialectId;
  readonly sdk: Sdk;
}

const CALLS: readonly SdkCall[] = dialectIds.flatMap((dialect) => {
  const sdk = SDKS[dialect];
  return sdk === undefined ? [] : [{ dialect, sdk }];
});

/** Finds a call of an SDK, or of `fetch` and its kin, and reads what it sends. undefined where there is none. */
export function readProgram(text: string): Program | undefined {
  const called = CALLS.find(({ sdk }) => sdk.method.test(text));
  const found = (called?.sdk.method ?? REQUEST).exec(text);
  if (found === null) return undefined;
  const by = called?.sdk.name ?? 'a program';
  const reader = createReader(text, namesIn(text.slice(0, found.index)));
  try {
    const args = reader.argumentsAt(found.index + found[0].length - 1);
    const call = called === undefined ? requestOf(args) : sdkCall(called, found[1] ?? '', args);
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

function sdkCall({ dialect, sdk }: SdkCall, method: string, { positional, named }: Arguments): Call {
  const [first, options] = positional;
  const given = isObject(first) ? first : named;
  const { extra_headers: ownHeaders, extra_body: extra, betas, timeout: _, ...plain } = given;
  const headers = headersOf(isObject(options) ? options.headers : ownHeaders);
  if (Array.isArray(betas)) headers.set('anthropic-beta', betas.join(','));
  const { body, ...asked } = sdk.sentBy({
    named: plain,
    extra: isObject(extra) ? extra : undefined,
    stream: /stream/i.test(method),
  });
  return { text: laidOut(body), headers, dialect, ...asked };
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
