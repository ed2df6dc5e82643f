import type { JsonObject } from '../../../src/simulator/rules/index.js';
import type { Plan, Usage } from '../services/plan.js';
import { countTokens } from '../services/tokens.js';

/** One call in a reply. `input` makes it a call of a custom tool, where the dialect has those. */
export interface ReplyCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly input?: string;
}

interface Common {
  /** Paragraphs of reasoning in front of the answer; state is issued with it. */
  readonly reasoning?: string | readonly string[];
  /** Also a redacted block, in the dialect that has one. */
  readonly redacted?: boolean;
  /** Counters in place of the counted ones. `cached` and `cacheWritten` are part of `input`, `reasoning` of `output`. */
  readonly usage?: Partial<Usage>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the head of the answer waits for. */
  readonly held?: Promise<unknown>;
  /** Milliseconds before the head of the answer, and between two deltas of a stream. */
  readonly delayMs?: number;
  readonly paceMs?: number;
}

/** An answer that the real service could give, in no dialect; it is printed plain or as a stream, as the request asks. */
export type Answer =
  | (Common & { readonly kind: 'text'; readonly text: string; readonly stopSequence?: string })
  | (Common & {
      readonly kind: 'calls' | 'reasoning+calls';
      readonly calls: readonly ReplyCall[];
      readonly text?: string;
    })
  | (Common & { readonly kind: 'json'; readonly value: unknown })
  | (Common & { readonly kind: 'refusal'; readonly text: string })
  /** Ended by the token limit; `call` is one whose arguments stop in the middle. */
  | (Common & {
      readonly kind: 'truncated';
      readonly text?: string;
      readonly call?: { readonly name: string; readonly cut: string };
    })
  /** Fails in band after `after` deltas (3); a plain request gets the status itself. */
  | (Common & {
      readonly kind: 'midstreamError';
      readonly text: string;
      readonly after?: number;
      readonly status?: number;
      readonly message?: string;
    })
  /** Ends after `after` deltas (3) without its finish; with `reset` the socket is destroyed. A plain body stops half way. */
  | (Common & { readonly kind: 'cut'; readonly text: string; readonly after?: number; readonly reset?: boolean });

/** A refusal in the dialect's error shape. `type`, `code`, `param` replace the dialect's own words. */
export interface ErrorReply {
  readonly kind: 'error';
  readonly status: number;
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds; where the dialect has no header for it, in the body. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly held?: Promise<unknown>;
  readonly delayMs?: number;
}

/** Exact bytes, for what no real service should do. `drop` destroys the socket. */
export interface RawReply {
  readonly kind: 'raw';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Uint8Array | { readonly pauseMs: number } | { readonly drop: true })[];
  readonly delayMs?: number;
}

/** What the fake backend answers next. */
export type Reply = Answer | ErrorReply | RawReply;

/** The answer when nothing was scripted. */
export const DEFAULT_REPLY: Reply = { kind: 'text', text: 'A plain answer of the fake backend.' };

/** The plan of an answer. */
export function planOf(answer: Answer): Plan {
  const reasoning = answer.reasoning === undefined ? {} : { reasoning: [answer.reasoning].flat() };
  switch (answer.kind) {
    case 'text': {
      const { stopSequence } = answer;
      const finish = stopSequence === undefined ? ({ kind: 'end' } as const) : stoppedAt(stopSequence);
      return { ...reasoning, text: answer.text, finish };
    }
    case 'calls':
    case 'reasoning+calls': {
      const calls = answer.calls.map((call) => ({ ...call, arguments: call.arguments ?? {} }));
      return { ...reasoning, ...(answer.text ? { text: answer.text } : {}), calls, finish: { kind: 'calls' } };
    }
    case 'json':
      return { ...reasoning, text: JSON.stringify(answer.value), finish: { kind: 'end' } };
    case 'refusal':
      return { ...reasoning, finish: { kind: 'refusal', text: answer.text } };
    case 'truncated': {
      const calls = answer.call ? { calls: [{ ...answer.call, arguments: {} }] } : {};
      return { ...reasoning, ...(answer.text ? { text: answer.text } : {}), ...calls, finish: { kind: 'length' } };
    }
    case 'midstreamError':
    case 'cut':
      return { ...reasoning, text: answer.text, finish: { kind: 'end' } };
  }
}

function stoppedAt(sequence: string) {
  return { kind: 'stop', sequence } as const;
}

/** Counters of an answer: words, unless the reply gives them. */
export function usageOf(answer: Answer, plan: Plan, rawRequest: string): Usage {
  const reasoning = answer.usage?.reasoning ?? countTokens((plan.reasoning ?? []).join(' '));
  const visible = countTokens(plan.text ?? '') + countTokens(JSON.stringify(plan.calls ?? [], null, 1));
  return {
    input: countTokens(rawRequest),
    cached: 0,
    cacheWritten: 0,
    output: reasoning + visible,
    ...answer.usage,
    reasoning,
  };
}
