import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { isThinkingChunk, REASONING_KEYS, signatureIn, THOUGHT_FIELDS, wordsOf } from '../content/reasoning.js';

/** The key whose words are shown: servers that say the same under two keys say it once [H §7.2]. */
export interface Followed {
  key: string | undefined;
}

/** The thoughts of a message on their way, under every key in which they come. */
export interface Thoughts {
  /** Adds what a delta, or a whole message, has of reasoning keys; gives the words to show. */
  add(delta: JsonObject): string;
  /** Adds words out of the text, with the characters that they came as. */
  addInline(words: string, raw: string): void;
  /** The words so far. */
  said(): string;
  /** All keys, put together. */
  keys(): JsonObject;
}

/** Whether a delta has reasoning keys that say anything. */
export function hasThoughts(delta: JsonObject): boolean {
  for (const key in delta) if (saysThought(key, delta[key])) return true;
  return false;
}

function saysThought(key: string, value: unknown): boolean {
  if (key === 'content') return Array.isArray(value) && value.some(isThinkingChunk);
  if (key === 'extra_content') return signatureIn(value) !== undefined;
  if (!REASONING_KEYS.has(key) || value === null || value === '') return false;
  return Array.isArray(value) ? value.length > 0 : typeof value === 'string' || isObject(value);
}

/** Thoughts that have not begun. Entries of a `whole` message stay apart; those of a stream grow under their numbers. */
export function createThoughts(followed: Followed, whole: boolean): Thoughts {
  const words = createPackedBuffer();
  const texts = new Map<string, TextBuffer>();
  const lists = new Map<string, EntryList>();
  const values: JsonObject = {};
  const inline = createPackedBuffer();

  const addText = (key: string, text: string): void => {
    const buffer = texts.get(key) ?? createPackedBuffer();
    if (!texts.has(key)) texts.set(key, buffer);
    buffer.add(text);
  };
  const addKey = (key: string, value: unknown): void => {
    if (SINGLE.has(key)) values[key] = value;
    else if (typeof value === 'string') addText(key, value);
    else if (!Array.isArray(value)) values[key] = value;
    else {
      const list = lists.get(key) ?? createEntryList(whole);
      if (!lists.has(key)) lists.set(key, list);
      for (const entry of value) if (key !== 'content' || isThinkingChunk(entry)) list.add(entry);
    }
  };

  return {
    add(delta) {
      for (const key in delta) if (saysThought(key, delta[key])) addKey(key, delta[key]);
      followed.key ??= ORDER.find((key) => saysThought(key, delta[key]) && wordsIn(key, delta[key]) !== '');
      const shown = followed.key === undefined ? '' : wordsIn(followed.key, delta[followed.key]);
      words.add(shown);
      return shown;
    },
    addInline(shown, raw) {
      words.add(shown);
      inline.add(raw);
    },
    said: () => words.read(),
    keys() {
      const keys: JsonObject = { ...values };
      for (const [key, text] of texts) keys[key] = text.read();
      for (const [key, list] of lists) keys[key] = list.read();
      if (inline.length > 0) keys.inline = inline.read();
      return keys;
    },
  };
}

/** Keys of which the last value counts. */
const SINGLE: ReadonlySet<string> = new Set(['reasoning_opaque', 'extra_content', 'thought_signature']);

/** Keys that may hold words, the first to be followed in front. */
const ORDER = [...THOUGHT_FIELDS, 'reasoning_details', 'thinking_blocks', 'content'];

function wordsIn(key: string, value: unknown): string {
  if (key !== 'content') return wordsOf(value);
  return Array.isArray(value) ? wordsOf(value.filter(isThinkingChunk)) : '';
}

/** Entries of a list that streams. */
interface EntryList {
  add(entry: unknown): void;
  read(): unknown[];
}

/** Members of an entry whose pieces are appended; of others the last one counts. */
const GROWING = ['text', 'summary', 'thinking'] as const;

interface Entry {
  node: JsonObject;
  /** Which member grows, and whether it is a list of texts. */
  readonly grows: (typeof GROWING)[number] | undefined;
  readonly isList: boolean;
  readonly text: TextBuffer;
}

/** Entries with one number, or without any but next to each other, are one: their texts are appended [H §3.3]. */
function createEntryList(whole: boolean): EntryList {
  const entries: (Entry | { readonly node: unknown })[] = [];
  const open = new Map<string, Entry>();

  const begin = (node: JsonObject): Entry => {
    const grows = GROWING.find((key) => typeof node[key] === 'string' || Array.isArray(node[key]));
    const isList = grows !== undefined && Array.isArray(node[grows]);
    return { node: {}, grows, isList, text: createPackedBuffer() };
  };
  const extend = (entry: Entry, node: JsonObject): void => {
    for (const key in node) {
      if (key === entry.grows) {
        entry.text.add(wordsOf(node[key]));
        entry.node[key] ??= '';
      } else if (node[key] !== null || entry.node[key] === undefined) entry.node[key] = node[key];
    }
  };

  return {
    add(node) {
      if (whole || !isObject(node)) {
        entries.push({ node });
        return;
      }
      const name = `${String(node.type)} ${String(node.index ?? node.id ?? '')}`;
      const known = open.get(name);
      const entry = known ?? begin(node);
      if (known === undefined) {
        entries.push(entry);
        open.set(name, entry);
      }
      extend(entry, node);
    },
    read: () =>
      entries.map((entry) => {
        if (!('grows' in entry)) return entry.node;
        const { node, grows, isList, text } = entry;
        if (grows === undefined) return node;
        return { ...node, [grows]: isList ? [{ type: 'text', text: text.read() }] : text.read() };
      }),
  };
}

/** Text and thoughts of a piece of text. */
export interface Split {
  readonly thought: string;
  /** The characters as which the thought came, tags included. */
  readonly raw: string;
  readonly text: string;
}

/** Takes thoughts out of the beginning of a text (translation.md 6.1). */
export interface InlineThoughts {
  push(text: string): Split;
  /** What was held back. `cut`: the answer was cut, so that a closing tag may be missing. */
  end(cut: boolean): Split;
}

const OPENING = '<think>';
/** The second was written by one vendor for some time [H §8.3]. */
const CLOSING = ['</think>', '</mm:think>'] as const;
const LONGEST = Math.max(...CLOSING.map((tag) => tag.length));
/** So much white space may stand in front of an opening tag. */
const MAX_LEAD = 64;

/**
 * Reads `<think>` at the very beginning of a text; in `forcedOpen` the opening tag was in the prompt, so that all text in
 * front of a closing tag is thought, which shows only when that tag comes [H §8.3].
 */
export function createInlineThoughts(form: 'open' | 'forcedOpen'): InlineThoughts {
  let place: 'lead' | 'unsure' | 'thought' | 'behind' | 'text' = 'lead';
  const unsure = createPackedBuffer();
  /** The end of what came, which may be the beginning of a tag. */
  let tail = '';

  const readThought = (text: string): Split => {
    const window = tail + text;
    const tag = closingIn(window);
    if (tag === undefined) {
      tail = window.slice(tagStart(window));
      const thought = window.slice(0, window.length - tail.length);
      return { thought, raw: thought, text: '' };
    }
    tail = '';
    place = 'behind';
    const rest = readBehind(window.slice(tag.end));
    return { thought: window.slice(0, tag.start), raw: window.slice(0, tag.end) + rest.raw, text: rest.text };
  };
  /** White space behind the tag belongs to it. */
  const readBehind = (text: string): Split => {
    const shown = text.trimStart();
    if (shown !== '') place = 'text';
    return { thought: '', raw: text.slice(0, text.length - shown.length), text: shown };
  };
  const readUnsure = (text: string): Split => {
    const window = tail + text;
    const tag = closingIn(window);
    if (tag === undefined) {
      tail = window.slice(-LONGEST + 1);
      unsure.add(window.slice(0, window.length - tail.length));
      return NOTHING;
    }
    const thought = unsure.take() + window.slice(0, tag.start);
    tail = '';
    place = 'behind';
    const rest = readBehind(window.slice(tag.end));
    return { thought, raw: thought + window.slice(tag.start, tag.end) + rest.raw, text: rest.text };
  };
  const readLead = (text: string): Split => {
    const window = tail + text;
    const bare = window.trimStart();
    if (bare.startsWith(OPENING)) {
      tail = '';
      place = 'thought';
      const lead = window.slice(0, window.length - bare.length + OPENING.length);
      const rest = readThought(bare.slice(OPENING.length));
      return { ...rest, raw: lead + rest.raw };
    }
    if (OPENING.startsWith(bare) && window.length < MAX_LEAD) {
      tail = window;
      return NOTHING;
    }
    tail = '';
    place = form === 'forcedOpen' ? 'unsure' : 'text';
    return form === 'forcedOpen' ? readUnsure(window) : { thought: '', raw: '', text: window };
  };

  const readers = { lead: readLead, unsure: readUnsure, thought: readThought, behind: readBehind };
  return {
    push: (text) => (place === 'text' ? { thought: '', raw: '', text } : readers[place](text)),
    end(cut) {
      const rest = unsure.take() + tail;
      const isThought = place === 'thought' || (place === 'unsure' && cut);
      place = 'text';
      tail = '';
      return isThought ? { thought: rest, raw: rest, text: '' } : { thought: '', raw: '', text: rest };
    },
  };
}

const NOTHING: Split = { thought: '', raw: '', text: '' };

function closingIn(text: string): { readonly start: number; readonly end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  for (const tag of CLOSING) {
    const start = text.indexOf(tag);
    if (start !== -1 && (found === undefined || start < found.start)) found = { start, end: start + tag.length };
  }
  return found;
}

/** Where a closing tag may begin that is not whole yet; the length of the text where none does. */
function tagStart(text: string): number {
  const at = text.lastIndexOf('<');
  return at !== -1 && CLOSING.some((tag) => tag.startsWith(text.slice(at))) ? at : text.length;
}
