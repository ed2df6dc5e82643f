import { Failure } from '../ground/plain/index.js';

/**
 * Whether a client asks what would be sent for its request instead of having it sent (http.md#what-would-be-sent), by the header
 * `x-interlingua-explain`. Throws for a value that is neither yes nor no: a misspelt one must not be a call that is paid.
 */
export function asksToExplain(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  const value = String(header).trim().toLowerCase();
  if (value === 'true' || value === 'false') return value === 'true';
  const message = 'the header x-interlingua-explain must be true or false';
  throw new Failure({ kind: 'invalid_request', message, path: '/$headers/x-interlingua-explain' });
}

/** Why a request would be refused. */
export interface ExplainedRefusal {
  /** The gateway, before any call, or the service whose rules are known. */
  readonly by: 'gateway' | 'service';
  readonly status: number;
  readonly kind: string;
  /** In the client's body, of the service in the one that it gets; null or '' = no place in it. */
  readonly path: string | null;
  readonly message: string;
}

/** What an explanation tells beside the body, in this order. */
export interface Explanation {
  readonly before: {
    readonly target: string;
    readonly backend: string;
    readonly dialect: string;
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly after: {
    readonly losses: readonly unknown[];
    /** The estimate; null = the request is no conversation, or cannot be read. */
    readonly tokens: number | null;
    readonly restrictions: readonly unknown[];
    readonly endpoints: unknown;
    readonly refusal: ExplainedRefusal | null;
  };
}

/** An explanation with the JSON of the body, which is no value here: numbers, repeated members and their order would not survive that. */
export function explanation({ before, after }: Explanation, body: string): string {
  return `${JSON.stringify(before).slice(0, -1)},"body":${body},${JSON.stringify(after).slice(1)}`;
}
