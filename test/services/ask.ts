import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';

/** A strict service of each dialect, with models that take what any of theirs takes. */
export function startServices(): Promise<
  readonly [messages: FakeBackend, responses: FakeBackend, generateContent: FakeBackend]
> {
  return Promise.all([
    startFakeBackend('messages', { generation: 'any' }),
    startFakeBackend('responses'),
    startFakeBackend('generateContent', { takesAll: true }),
  ]);
}

/** One answer to a probe. */
export interface Probed {
  readonly status: number;
  readonly text: string;
}

/** Posts a body over a socket; with what every request of the messages dialect has on its head. */
export async function post(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Probed> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}
