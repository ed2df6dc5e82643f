import { isObject } from '../ground/index.js';

/** So many characters of a refusal are read. */
const READ = 4096;

/** So many characters of a string of the request are compared. */
const COMPARED = 4096;

/** A string that a refusal quotes without its end begins with at least so many characters of it. */
const CUT = 16;

/** With more strings than this that may stand in the words of a refusal, nothing is taken from them. */
const MOST_STRINGS = 1000;

/** Members whose values are words of the dialect. */
const WORDED = new Set([
  'type',
  'role',
  'effort',
  'reasoning_effort',
  'tool_choice',
  'function_call',
  'mode',
  'thinkingLevel',
  'service_tier',
  'summary',
  'verbosity',
]);

/** Members below which names are the caller's own. */
const OWN = new Set([
  'parameters',
  'parametersJsonSchema',
  'input_schema',
  'schema',
  'responseSchema',
  'responseJsonSchema',
  'metadata',
  'labels',
  'args',
  'response',
]);

/** Words for how hard a model thinks: what a refusal lists of them is what the server takes. */
const EFFORTS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Names in there that are words of JSON Schema. */
const KEYWORDS = new Set(['type', 'properties', 'items', 'required', 'description', 'enum', 'format', 'title']);

const WORD = /^\w+$/;

/**
 * What a refusal says without what it quotes of the request: words of a caller (URLs, names, texts) say nothing about the
 * server. What the dialect itself writes in the body stays: names of members, types, roles. A word alone is taken out where it is
 * quoted, or stands in a path. Undefined where that cannot be told for all the strings of the request.
 */
export function withoutQuotes(words: string, body: unknown): string | undefined {
  const read = words.slice(0, READ);
  const gathered: Gathered = { heard: new Set(read.match(/\w+/g)), wire: new Set(), own: new Set() };
  gather(body, undefined, false, gathered);
  const { wire, own } = gathered;
  if (own.size > MOST_STRINGS) return undefined;
  const alone = new Set<string>();
  const texts: string[] = [];
  for (const text of own) {
    if (!WORD.test(text)) texts.push(text);
    else if (!wire.has(text) && !EFFORTS.has(text)) alone.add(text);
  }
  // Strings that hold others are looked for before those.
  texts.sort((one, other) => other.length - one.length);
  const rest = texts.reduce(withoutText, read);
  return rest.replace(/(['"`.])(\w+)/g, (found, before: string, word: string) => (alone.has(word) ? before : found));
}

interface Gathered {
  /** Words of the refusal. */
  readonly heard: ReadonlySet<string>;
  /** Words that the dialect writes. */
  readonly wire: Set<string>;
  /** Strings of the caller that the refusal may quote. */
  readonly own: Set<string>;
}

function gather(value: unknown, name: string | undefined, free: boolean, gathered: Gathered): void {
  if (typeof value === 'string') {
    if (!free && name !== undefined && WORDED.has(name) && WORD.test(value)) gathered.wire.add(value);
    else addOwn(value, gathered);
  } else if (Array.isArray(value)) {
    for (const item of value) gather(item, name, free, gathered);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (free ? !KEYWORDS.has(key) : !WORD.test(key)) addOwn(key, gathered);
      else if (!free) gathered.wire.add(key);
      // What a call is given is an object; a list of that name is the conversation.
      gather(inner, key, free || OWN.has(key) || (key === 'input' && isObject(inner)), gathered);
    }
  }
}

/** Notes a string whose first word the refusal has; one that it cannot quote costs nothing more. */
function addOwn(text: string, { heard, own }: Gathered): void {
  if (own.size > MOST_STRINGS) return;
  const head = text.slice(0, COMPARED);
  const first = /\w+/.exec(head)?.[0];
  if (first === undefined || !heard.has(first)) return;
  own.add(head);
  // As it stands where the server prints what it got.
  const printed = JSON.stringify(head).slice(1, -1);
  if (printed !== head) own.add(printed);
}

/** The words without a text, or without its beginning where its end was cut off. */
function withoutText(words: string, text: string): string {
  const head = text.slice(0, CUT);
  let rest = words;
  for (let start = rest.indexOf(head); start !== -1; start = rest.indexOf(head, start + 1)) {
    let end = start + head.length;
    while (end - start < text.length && rest[end] === text[end - start]) end += 1;
    if (head.length === CUT || (isEdge(rest, start) && isEdge(rest, end)))
      rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return rest;
}

/** Whether no word goes on at a place: `a b` does not stand in `la bar`. */
function isEdge(words: string, at: number): boolean {
  return at === 0 || !/\w\w/.test(words.slice(at - 1, at + 1));
}
