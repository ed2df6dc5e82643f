import { type JsonObject, objectOf } from '../../src/simulator/rules/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { createSession, describeError } from '../support/sessions/index.js';
import type { Turn } from '../support/sessions/session.js';
import type { Case } from './cases.js';

/** What came of a case: the answer at its end, or the error of the client. */
export interface Outcome {
  readonly turn?: Turn;
  readonly error?: { readonly status?: number; readonly message: string };
  /** What is wrong with it; undefined when it is as it should be. */
  readonly fault?: string;
}

/** A server as a client is pointed at it. */
export interface Place {
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** No chance in what the model says: what two clients get can be compared. */
  readonly steady?: boolean;
}

/** No chance, as each dialect says it. */
const STEADY: Readonly<Record<FakeDialectName, JsonObject>> = {
  messages: { temperature: 0 },
  responses: { temperature: 0 },
  generateContent: { generationConfig: { temperature: 0 } },
  chatCompletions: { temperature: 0 },
};

/** Whether a client of a dialect can ask for a case. */
export function canAsk({ without, members }: Case, dialect: FakeDialectName): boolean {
  return without?.includes(dialect) !== true && (members === undefined || members[dialect] !== undefined);
}

/** Lets the official client of a dialect ask a server. */
export async function ask(dialect: FakeDialectName, { url, key, model, steady }: Place, asked: Case): Promise<Outcome> {
  const { stream = false, talk, prompt = 'Say something about llamas.', options, members, fails } = asked;
  const added = [steady ? STEADY[dialect] : {}, members?.[dialect] ?? {}];
  const session = createSession(dialect, url, {
    ...options,
    model: asked.model === undefined ? model : model.replace(/[^/]+$/, asked.model),
    apiKey: key ?? 'none',
    fetch: (address, init) => {
      // As `apiVersion: 'v1beta'` of the client does: servers of others have no other.
      const place = String(address).replace('/v1/models/', '/v1beta/models/');
      return fetch(place, init?.method === 'POST' ? { ...init, body: addTo(init.body, added) } : init);
    },
  });
  try {
    if (talk === undefined) session.user(prompt);
    const turn = await (talk === undefined ? session.send({ stream }) : talk(session, stream));
    const fault = fails === undefined ? asked.expects(turn) : 'it is answered';
    return { turn, ...(fault !== undefined && { fault }) };
  } catch (thrown) {
    const error = described(thrown);
    const { status, message } = error;
    if (status !== undefined && fails?.includes(status)) return { error };
    return { error, fault: `${status === undefined ? '' : `${status} `}${message}`.slice(0, 300) };
  }
}

/** The error in the words of its client; one that is none of a client's as it is. */
function described(thrown: unknown): NonNullable<Outcome['error']> {
  try {
    const { status, message } = describeError(thrown);
    return { ...(status !== undefined && { status }), message };
  } catch {
    return { message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** A body with members, and with those of its objects. */
function addTo(body: unknown, added: readonly JsonObject[]): string {
  let whole: JsonObject = objectOf(JSON.parse(String(body)));
  for (const members of added)
    for (const [key, value] of Object.entries(members)) {
      const held = objectOf(whole[key]);
      const isNode = typeof value === 'object' && value !== null && !Array.isArray(value);
      whole = { ...whole, [key]: isNode ? { ...held, ...value } : value };
    }
  return JSON.stringify(whole);
}
