import { randomBytes } from 'node:crypto';
import type { Generation, JsonObject } from '../../../src/simulator/rules/index.js';
import type { ServerName } from '../services/chat-completions/server.js';
import type { Plan, Usage } from '../services/plan.js';
import type { DialectStream } from '../services/stream.js';
import type { PromptCache } from './prompt-cache/index.js';
import type { Answer, ErrorReply } from './reply.js';

/** One request as it came. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came, and parsed; undefined when it is no JSON. */
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies whose shape they know
  readonly body: any;
}

/** How a fake backend differs from the strict default. */
export interface FakeBackendOptions {
  /** The only credential that is let in; any, or none, when left out. */
  readonly apiKey?: string;
  /** The only models that are known; every name when left out. */
  readonly models?: readonly string[];
  /** messages: what the models take. `4.6` unless given: adaptive and budget thinking, no prefill. */
  readonly generation?: Generation;
  /** generateContent: demands thought signatures on calls, as the 3.x models do. */
  readonly gemini3?: boolean;
  /** generateContent: which host's fields are known; `dev` unless given. */
  readonly host?: 'dev' | 'cloud';
  /** chatCompletions: whose manners and demands. `compatible` unless given. */
  readonly server?: ServerName;
  /** Answer to count requests. 42 unless given. */
  readonly inputTokens?: number;
  /** Bills prompts as the service's cache does, in place of counting words. */
  readonly promptCache?: PromptCache;
  /** False switches all rules off, for bodies that a test wants to get through. */
  readonly strict?: boolean;
}

/** A plain HTTP answer. */
export interface PlainAnswer {
  readonly kind: 'plain';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that passed the rules and waits for its reply. */
export interface Conversation {
  readonly kind: 'conversation';
  readonly streaming: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly streamHeaders: Readonly<Record<string, string>>;
  print(plan: Plan, usage: Usage, answer: Answer): object;
  stream(plan: Plan, usage: Usage, answer: Answer): DialectStream;
}

/** One dialect's side of a fake backend. */
export interface FakeDialect {
  /** Routes and checks a request: what needs no reply is answered at once. */
  receive(request: RecordedRequest): PlainAnswer | Conversation;
  /** A refusal in the dialect's shape. */
  refuse(
    request: RecordedRequest,
    error: Omit<ErrorReply, 'kind'> & { readonly details?: readonly object[] },
  ): PlainAnswer;
  /** What an overloaded server says in the middle of a stream. */
  readonly overloaded: { readonly status: number; readonly message: string };
}

/** A fresh id. */
export function mintId(prefix: string, length = 24): string {
  return `${prefix}${randomBytes(32).toString('hex').slice(0, length)}`;
}

/** Unix time in seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The path without its query. */
export function pathnameOf(request: RecordedRequest): string {
  return request.path.replace(/\?.*$/, '');
}

/** The query of a request. */
export function queryOf(request: RecordedRequest): URLSearchParams {
  return new URLSearchParams(request.path.split('?')[1] ?? '');
}

/** The token of `Authorization: Bearer`, if there is one. */
export function bearerOf(request: RecordedRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** JSON with the status 200. */
export function answerJson(value: object, headers: Readonly<Record<string, string>>, indent?: number): PlainAnswer {
  return { kind: 'plain', status: 200, headers, body: JSON.stringify(value, null, indent) };
}

/** A parsed body when it is an object. */
export function bodyOf(request: RecordedRequest): JsonObject | undefined {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : undefined;
}
