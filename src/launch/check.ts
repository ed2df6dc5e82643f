import type { DialectId } from '../../translators/index.js';
import { credentialHeader } from '../protocol/index.js';
import type { Agent, Place } from './agent.js';

/** Who answered one small request. */
export interface CheckReport {
  readonly ok: boolean;
  /** Status, backend, dialect, model and losses. */
  readonly line: string;
  /** What the gateway or the backend answered, where it refused. */
  readonly reason: string;
}

/** Room for an answer of a few words, also behind some thinking. */
const MOST_TOKENS = 256;
const PROMPT = 'Answer with one word.';
const WAIT_MS = 120_000;

interface Ask {
  readonly path: (model: string) => string;
  readonly body: (model: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One small request of each dialect that an agent speaks, on the path that the agent takes. */
const ASKS: Readonly<Partial<Record<DialectId, Ask>>> = {
  messages: {
    path: () => '/v1/messages?beta=true',
    body: (model) => ({ model, max_tokens: MOST_TOKENS, messages: [{ role: 'user', content: PROMPT }] }),
    headers: { 'anthropic-version': '2023-06-01' },
  },
  responses: {
    path: () => '/v1/responses',
    body: (model) => ({ model, store: false, input: [{ role: 'user', content: PROMPT }] }),
  },
  chatCompletions: {
    path: () => '/v1/chat/completions',
    body: (model) => ({ model, messages: [{ role: 'user', content: PROMPT }] }),
  },
  generateContent: {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] }),
  },
};

/** Asks the gateway as the agent would. */
export async function checkAgent({ dialect, keyForm }: Agent, { url, key, model }: Place): Promise<CheckReport> {
  const ask = ASKS[dialect];
  if (ask === undefined) throw new Error(`no agent is known to speak ${dialect}`);
  const answer = await fetch(url + ask.path(model), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ask.headers, ...credentialHeader(keyForm, key) },
    body: JSON.stringify(ask.body(model)),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const { status, ok, headers } = answer;
  const text = await answer.text();
  const header = (name: string): string => headers.get(`x-interlingua-${name}`) ?? '';
  const [losses = '0'] = header('losses').split(';');
  const who =
    header('backend') === '' ? 'no backend' : `${header('backend')} (${header('dialect')}) ${header('model')}`;
  const line = `${status} ${who}, ${losses === '' ? '0' : losses} ${losses === '1' ? 'loss' : 'losses'}`;
  return { ok, line, reason: ok ? '' : reasonIn(text) };
}

function reasonIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  } catch {
    // Not everything that answers is a gateway.
  }
  return 'it refused';
}
