import type { Response } from 'node-fetch';
import { clientGone, Failure } from '../ground/index.js';
import { createGathered } from '../http/index.js';
import { decodeDataUrl } from './data-url.js';
import { AddressRefused, type Guard } from './guard.js';

/** What was behind a URL. */
export interface Fetched {
  readonly bytes: Buffer;
  /** What the server said it is; '' when it said nothing. */
  readonly declared: string;
}

/** Fetches what users and backends name by URL. */
export interface Fetcher {
  /**
   * Whether a URL may go on to a server that opens it itself (media.md 8.2): its name is looked up, and nothing is
   * fetched. Rejects with a Failure (400) when not. Data URLs may.
   */
  check(url: string, path: string): Promise<void>;
  /**
   * The bytes behind an http, https or data URL. `path` is the URL's path in the client's request; failures name it.
   * Rejects with a Failure: 400 for what may not or cannot be fetched.
   */
  fetch(url: string, path: string, signal?: AbortSignal): Promise<Fetched>;
  /** The same for what a backend links to: the operator's switch is about what users name. */
  fetchResult(url: string, signal?: AbortSignal): Promise<Fetched>;
  close(): void;
}

/** Bounds of one fetch: bytes, ms. */
export interface FetchLimits {
  readonly bytes: number;
  readonly deadline: number;
  /** Off: nothing but data URLs. */
  readonly on: boolean;
}

const REDIRECTS = 3;
/** Longest URL, in characters. Signed ones have a few thousand. */
const URL_CHARACTERS = 16 * 1024;

export function createFetcher(guard: Guard, limits: FetchLimits): Fetcher {
  const parse = (text: string, path: string): URL => {
    const url = urlOf(text, path);
    const reason = guard.refuse(url);
    if (reason !== undefined) throw refusal(path, reason);
    return url;
  };
  return {
    async check(url, path) {
      if (isData(url)) return;
      const reason = await guard.refuseHandedOn(urlOf(url, path));
      if (reason !== undefined) throw refusal(path, reason);
    },
    async fetch(text, path, signal) {
      if (isData(text)) return decodeDataUrl(text, limits.bytes, path);
      if (!limits.on) throw refusal(path, 'this gateway fetches nothing; send the file itself');
      return bounded(text, path, signal);
    },
    async fetchResult(text, signal) {
      return isData(text) ? decodeDataUrl(text, limits.bytes, '') : bounded(text, '', signal);
    },
    close: () => guard.close(),
  };

  async function bounded(text: string, path: string, signal: AbortSignal | undefined): Promise<Fetched> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    const timer = setTimeout(abort, limits.deadline);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await follow(parse(text, path), path, controller.signal);
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      throw failureOf(thrown, path, controller.signal.aborted, signal?.aborted === true);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      controller.abort();
    }
  }

  /** Redirects are followed by hand, so that every step passes the guard and the limits (hardening.md rows 6, 10). */
  async function follow(first: URL, path: string, signal: AbortSignal): Promise<Fetched> {
    let url = first;
    for (let steps = 0; steps <= REDIRECTS; steps += 1) {
      const { default: fetch } = await import('node-fetch');
      const response = await fetch(url, {
        agent: await guard.agents(),
        redirect: 'manual',
        compress: false,
        signal,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'interlingua' },
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return read(response, path);
      if (!URL.canParse(location, url.href)) throw refusal(path, 'the server answered with a broken redirect');
      url = parse(new URL(location, url).href, path);
    }
    throw refusal(path, 'the server redirects too often');
  }

  async function read(response: Response, path: string): Promise<Fetched> {
    if (response.status !== 200) throw refusal(path, `the server answered ${response.status}`);
    if (Number(response.headers.get('content-length') ?? 0) > limits.bytes) throw tooLarge(path);
    const gathered = createGathered();
    for await (const chunk of response.body ?? []) {
      const piece = Buffer.from(chunk);
      if (gathered.length + piece.length > limits.bytes) throw tooLarge(path);
      gathered.add(piece);
    }
    return { bytes: gathered.join(), declared: response.headers.get('content-type') ?? '' };
  }

  function tooLarge(path: string): Failure {
    return refusal(path, `the file is larger than ${limits.bytes / 1024 / 1024} MB`);
  }
}

function urlOf(text: string, path: string): URL {
  if (text.length > URL_CHARACTERS) throw refusal(path, 'the URL is too long');
  if (!URL.canParse(text)) throw refusal(path, 'is not a URL');
  return new URL(text);
}

function isData(url: string): boolean {
  return url.slice(0, 5).toLowerCase() === 'data:';
}

/** Why a connection failed is for the log: it would tell of hosts behind the gateway. */
function failureOf(thrown: unknown, path: string, aborted: boolean, gone: boolean): Failure {
  if (gone) return clientGone();
  if (isRefused(thrown)) return refusal(path, 'the URL does not lead to a public address');
  const reason = aborted ? 'the file did not arrive in time' : 'the file cannot be fetched';
  return new Failure(
    { kind: 'invalid_request', message: reason, path, code: 'failed_to_download_image' },
    { cause: thrown },
  );
}

function isRefused(thrown: unknown): boolean {
  if (thrown instanceof AddressRefused) return true;
  const message = thrown instanceof Error ? thrown.message : '';
  return /is not allowed\. Because|is not public/.test(message);
}

function refusal(path: string, message: string): Failure {
  return new Failure({ kind: 'invalid_request', message, path, code: 'invalid_image_url' });
}
