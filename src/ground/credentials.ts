import { createLiveText, type LiveText, type Template } from './file-text.js';

/** What is secret about a backend, as its configuration has it. */
export interface Confidential {
  readonly name: string;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The same for values that are read from files: they change while the configuration stays. */
  readonly files?: CredentialFiles | undefined;
}

/** Values of a backend with files in them. */
export interface CredentialFiles {
  readonly apiKey?: Template;
  readonly headers?: Readonly<Record<string, Template>>;
}

/** What a backend is called with at the moment. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Reasons why a `${file:}` value is stale; empty if all are current. */
  readonly faults: readonly string[];
}

/** Characters that a secret has at least. */
const LEAST = 8;

/** So many credentials that were in use before stay secret: calls that were made with them may still be running. */
const FORMER = 4;

/** What a key may consist of: it goes into a header. */
export const KEY_TEXT = /^[\x21-\x7e]+$/;

/** What a configured header may say. */
export const HEADER_TEXT = /^[\x20-\x7e]*$/;

interface Kept {
  readonly current: () => Credentials;
  readonly learn: (secret: string) => void;
  readonly secrets: () => readonly string[];
}

const ofBackends = new WeakMap<Confidential, Kept>();

/** The credentials with which a backend is called now: what comes from files is as new as the files. */
export function credentialsOf(backend: Confidential): Credentials {
  return keptOf(backend).current();
}

/**
 * What a backend is called with that nobody else may see: its key, credentials among its headers, and those of a moment
 * ago. The same list as before as long as nothing has changed.
 */
export function secretsOf(backend: Confidential): readonly string[] {
  return keptOf(backend).secrets();
}

/** Adds a credential that a backend is called with and that its configuration does not hold, such as a token. */
export function addSecret(backend: Confidential, secret: string): void {
  keptOf(backend).learn(secret);
}

function keptOf(backend: Confidential): Kept {
  let kept = ofBackends.get(backend);
  if (kept === undefined) {
    kept = keep(backend);
    ofBackends.set(backend, kept);
  }
  return kept;
}

function keep(backend: Confidential): Kept {
  const current = reader(backend);
  let list: readonly string[] = [];
  /** Of what the list was made. */
  let seen: Credentials | undefined;
  /** The present ones in front, then the latest of the others. */
  const withNew = (learned: readonly string[]): readonly string[] => {
    const now = current();
    if (now === seen && learned.length === 0) return list;
    seen = now;
    const present = [...secretsAmong(now), ...learned];
    if (present.some((secret) => !list.includes(secret))) {
      const former = list.filter((secret) => !present.includes(secret));
      list = [...present, ...former.slice(0, FORMER)];
    }
    return list;
  };
  return {
    current,
    learn: (secret) => void withNew([secret].filter(isLong)),
    secrets: () => withNew([]),
  };
}

function secretsAmong({ apiKey, headers }: Credentials): string[] {
  const configured = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/.test(name));
  return [apiKey ?? '', ...configured.map(([, text]) => text.replace(/^\w+ +/, ''))].filter(isLong);
}

/** Shorter texts are no secrets, and would be found everywhere. */
export function isLong(text: string): boolean {
  return text.length >= LEAST;
}

function reader({ apiKey, headers, files }: Confidential): () => Credentials {
  if (files === undefined) {
    const fixed = { apiKey, headers, faults: [] };
    return () => fixed;
  }
  const key = files.apiKey && createLiveText(files.apiKey, apiKey ?? '', (text) => KEY_TEXT.test(text));
  const live = Object.entries(files.headers ?? {}).map(([name, template]): readonly [string, LiveText] => [
    name,
    createLiveText(template, headers[name] ?? '', (text) => text !== '' && HEADER_TEXT.test(text)),
  ]);
  const all = [...(key === undefined ? [] : [key]), ...live.map(([, text]) => text)];
  return () => ({
    apiKey: key === undefined ? apiKey : key.read(),
    headers: { ...headers, ...Object.fromEntries(live.map(([name, text]) => [name, text.read()])) },
    faults: all.flatMap(({ fault }) => fault ?? []),
  });
}
