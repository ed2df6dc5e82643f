import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

/** Options of the official clients that tests set. */
export interface ClientOptions {
  readonly apiKey?: string;
  /** Repeats after a failure; none unless given. */
  readonly retries?: number;
}

/** The official client of the messages dialect, pointed at a server. */
export function connectMessages(url: string, { apiKey = 'test-key', retries = 0 }: ClientOptions = {}): Anthropic {
  return new Anthropic({ apiKey, baseURL: url, maxRetries: retries });
}

/** The official client of the responses dialect, pointed at a server. */
export function connectResponses(url: string, { apiKey = 'test-key', retries = 0 }: ClientOptions = {}): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: retries });
}

/**
 * The official client of the generateContent dialect, pointed at a server. It gets `fetch` because it otherwise looks
 * for a dispatcher on `globalThis` that Jest's module sandbox does not have.
 */
export function connectGenerateContent(url: string, { apiKey = 'test-key' }: ClientOptions = {}): GoogleGenAI {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch: globalThis.fetch } });
}
