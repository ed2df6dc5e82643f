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

/** Where this gateway is, without a slash at the end: the page is below it. */
function root(): string {
  return location.pathname.replace(/\/playground\/?$/, '');
}

/**
 * Sends a request to the ordinary route of its dialect. `onHead` is told the head of the answer, `onText` its text as it comes.
 * Throws when the connection fails, and SyntaxError when the request is no JSON.
 */
export async function send(
  { dialect, text, model, key, strict }: Call,
  signal: AbortSignal,
  onHead: (answered: Answered) => void,
  onText: (text: string) => void,
): Promise<void> {
  const body: unknown = JSON.parse(text);
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const named = typeof fields.model === 'string' ? fields.model : '';
  const path = dialects[dialect].endpoint('create', { model: model || named, stream: fields.stream === true });
  const inUrl = path.includes(encodeURIComponent(model || named)) && (model || named) !== '';
  const answer = await fetch(root() + path, {
    method: 'POST',
    signal,
    credentials: 'omit',
    headers: {
      'content-type': 'application/json',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(strict && { 'x-interlingua-losses': 'strict' }),
    },
    body: model === '' || inUrl ? text : editMembers(text, { model: { json: JSON.stringify(model), add: true } }),
  });
  onHead({ status: answer.status, side: sideOf(answer.headers) });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
    onText(piece.value);
  }
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
