import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';

/** Options of the official clients that tests set. */
export interface ClientOptions {
  readonly apiKey?: string;
  /** Repeats after a failure; none unless given. */
  readonly retries?: number;
  /** Looks at what the client sends and gets. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The official client of the messages dialect, pointed at a server. */
export function connectMessages(url: string, options: ClientOptions = {}): Anthropic {
  const { apiKey = 'test-key', retries = 0, fetch } = options;
  return new Anthropic({ apiKey, baseURL: url, maxRetries: retries, fetch });
}

/** The official client of the responses dialect, pointed at a server. */
export function connectResponses(url: string, options: ClientOptions = {}): OpenAI {
  const { apiKey = 'test-key', retries = 0, fetch } = options;
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: retries, fetch });
}

/** The official client of the chat completions dialect, which is that of the responses dialect. */
export function connectChatCompletions(url: string, options: ClientOptions = {}): OpenAI {
  return connectResponses(url, options);
}

/**
 * The official client of the generateContent dialect, pointed at a server. It gets `fetch` because it otherwise looks
 * for a dispatcher on `globalThis` that Jest's module sandbox does not have.
 */
export function connectGenerateContent(url: string, options: ClientOptions = {}): GoogleGenAI {
  const { apiKey = 'test-key', fetch = globalThis.fetch } = options;
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch } });
}
