import { gatewayDialect } from '../../../src/dialects/index.js';
import { type DialectId, dialects, editMembers } from '../library.js';

/** One call of the gateway. */
export interface Call {
  readonly dialect: DialectId;
  /** The request as it stands in the page. */
  readonly text: string;
  /** '' = the one of the body. */
  readonly model: string;
  /** Where the body does not say so. */
  readonly stream?: boolean;
  readonly betas: readonly string[];
  /** The value of `x-interlingua-losses`; '' = none is sent. */
  readonly losses: string;
}

/** How a call goes to the ordinary route of its dialect. */
export interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request of a call. Throws SyntaxError when the text is no JSON. */
export function requestOf({ dialect, text, model, stream, betas, losses }: Call): Sent {
  const body: unknown = JSON.parse(text);
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const pathFor = (name: string): string =>
    dialects[dialect].endpoint('create', { model: name, stream: stream ?? fields.stream === true });
  const { betaHeader, asksInBody } = gatewayDialect(dialect);
  const named = asksInBody ? editMembers(text, { model: { json: JSON.stringify(model), add: true } }) : text;
  // Versions may be left out; the paths of some dialects have none.
  const path = pathFor(model);
  return {
    path: /^\/v\d/.test(path) ? path : `/v1${path}`,
    headers: {
      'content-type': 'application/json',
      ...(losses !== '' && { 'x-interlingua-losses': losses }),
      ...(betaHeader !== undefined && betas.length > 0 && { [betaHeader]: betas.join(',') }),
    },
    body: model === '' ? text : named,
  };
}
