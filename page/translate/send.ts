import { addressOf } from '../gateway.js';
import { type DialectId, dialects, editMembers } from './library.js';

/** One call of the gateway. */
export interface Call {
  readonly dialect: DialectId;
  /** The request as it stands in the page. */
  readonly text: string;
  /** '' = the one of the body. */
  readonly model: string;
  /** '' = none is sent. */
  readonly key: string;
  readonly strict: boolean;
}

/** What the gateway says about its side of a call. */
export interface BackendSide {
  readonly backend?: string;
  readonly dialect?: string;
  readonly model?: string;
  readonly losses?: string;
  readonly requestId?: string;
}

/** The head of an answer. */
export interface Answered {
  readonly status: number;
  readonly side: BackendSide;
}

/** The request of a call, to the ordinary route of its dialect. Throws SyntaxError when the text is no JSON. */
function requestOf(
  { dialect, text, model, key, strict }: Call,
  extra: Readonly<Record<string, string>>,
): [string, RequestInit] {
  const body: unknown = JSON.parse(text);
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const pathFor = (name: string): string =>
    dialects[dialect].endpoint('create', { model: name, stream: fields.stream === true });
  // Where the URL says which model, the body does not.
  const inBody = pathFor('a') === pathFor('b');
  const named = inBody ? editMembers(text, { model: { json: JSON.stringify(model), add: true } }) : text;
  const headers = {
    'content-type': 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(strict && { 'x-interlingua-losses': 'strict' }),
    ...extra,
  };
  const sent = model === '' ? text : named;
  return [addressOf(pathFor(model)), { method: 'POST', credentials: 'omit', headers, body: sent }];
}

/**
 * Sends a request. `onHead` is told the head of the answer, `onText` its text as it comes. Throws when the connection fails,
 * and SyntaxError when the request is no JSON.
 */
export async function send(
  call: Call,
  signal: AbortSignal,
  onHead: (answered: Answered) => void,
  onText: (text: string) => void,
): Promise<void> {
  const [url, init] = requestOf(call, {});
  const answer = await fetch(url, { ...init, signal });
  onHead({ status: answer.status, side: sideOf(answer.headers) });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
    onText(piece.value);
  }
}

/** What the gateway would send for a call, which calls no backend. */
export interface Explained {
  readonly backend: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** Asks for that; undefined where the gateway does not tell. */
export async function explain(call: Call, signal: AbortSignal): Promise<Explained | undefined> {
  const [url, init] = requestOf(call, { 'x-interlingua-explain': 'true' });
  const answer = await fetch(url, { ...init, signal });
  if (!answer.ok) return undefined;
  const { backend, method, url: target, body } = (await answer.json()) as Readonly<Record<string, unknown>>;
  return typeof backend === 'string' ? { backend, method: String(method), url: String(target), body } : undefined;
}

function sideOf(headers: Headers): BackendSide {
  const own = (name: string): string | undefined => headers.get(`x-interlingua-${name}`) ?? undefined;
  return {
    backend: own('backend'),
    dialect: own('dialect'),
    model: own('model'),
    losses: own('losses'),
    requestId: headers.get('x-request-id') ?? undefined,
  };
}
