import { expect } from '@jest/globals';
import type { DialectId } from '../../../translators/index.js';
import { WIRES } from '../../support/answers.js';
import { tableOf } from '../../support/dialects/index.js';
import { messageOf, type Tree } from '../../support/gateway/harness.js';
import type { Mode, Outcome } from './cells.js';
import { type Kind, refusalOf } from './told.js';

/** Kinds that are failures of a service: what it says of itself is not for its clients (translation.md 7.1.2). */
export const SERVICE: ReadonlySet<Kind> = new Set(['internal', 'overloaded', 'timeout', 'upstream']);

/** The data of every event of a stream, in order; of an array its elements. A frame that cannot be read throws. */
export function eventsOf(text: string, mode: Mode): Tree[] {
  if (mode === 'array') return JSON.parse(text);
  return text
    .split(/\r?\n\r?\n/)
    .flatMap((block) => block.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((line) => line.slice('data:'.length).trim())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
}

/** The visible text of a stream. */
export function textOf(client: DialectId, events: readonly Tree[]): string {
  return events.map((event) => SAID[client](event) ?? '').join('');
}

const SAID = tableOf('textOfEvent');

const SUCCESS = tableOf('saysComplete');

const FAILURE = tableOf('saysFailure');

/** Whether a stream ends with a failure of which not every reader knows, so that the connection has to break (translation.md 6.5). */
export function breaks(client: DialectId, mode: Mode, { status, text }: Outcome): boolean {
  if (status !== 200 || mode !== 'stream' || client === 'responses' || text.includes('data: [DONE]')) return false;
  const last = eventsOf(text, mode).at(-1);
  return last !== undefined && FAILURE[client](last);
}

/** A failure that a client was told with a status: its own dialect's object, the words of the kind, and ours alone. */
export function expectRefusal(client: DialectId, outcome: Outcome, kind: Kind): string {
  const [status, word] = refusalOf(client, kind);
  expect([outcome.status, outcome.complete]).toEqual([status, true]);
  expect(outcome.headers['content-type']).toMatch(/^application\/json/);
  const body: Tree = JSON.parse(outcome.text);
  const message = messageOf(client, body);
  expect(wordOf(client, body.error)).toMatch(wordPattern(word));
  if (client === 'generateContent') expect(body.error.code).toBe(status);
  return message;
}

/** Of responses a code that the backend gave may stand where the table has none. */
function wordPattern(word: string): RegExp {
  return new RegExp(`^${word.replace(/\/null$/, '/.*')}$`);
}

function wordOf(client: DialectId, error: Tree): string {
  if (client === 'messages') return error.type;
  return client === 'generateContent' ? error.status : `${error.type}/${error.code}`;
}

/**
 * A failure after the first byte: what was said so far, the frames of the failure, and nothing else; where these are no end by which
 * every reader knows, the connection breaks (translation.md 6.5).
 */
export function expectLateFailure(client: DialectId, mode: Mode, outcome: Outcome, kind: Kind, said: string): void {
  expect([outcome.status, outcome.complete]).toEqual([200, client === 'responses' || mode === 'array']);
  const events = eventsOf(outcome.text, mode);
  expect(textOf(client, events)).toBe(said);
  expect(events.filter(SUCCESS[client])).toEqual([]);
  const failures = events.filter(FAILURE[client]);
  expect(events.slice(-failures.length)).toEqual(failures);
  const [, word] = refusalOf(client, kind);
  switch (client) {
    case 'messages':
      expect(failures).toHaveLength(1);
      messageOf(client, failures[0]);
      expect(failures[0].error.type).toBe(word);
      expect(outcome.text).toMatch(/event: error\r?\ndata: [^\n]*\n\r?\n$/);
      break;
    case 'responses': {
      const [error, failed] = failures;
      expect(failures.map(({ type }) => type)).toEqual(['error', 'response.failed']);
      expect(`${error.error.type}/${error.error.code}`).toBe(word);
      expect(error).toMatchObject({ code: error.error.code, message: error.error.message, param: null });
      expect(failed.response).toMatchObject({ status: 'failed', error: { message: error.error.message } });
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
      break;
    }
    case 'chatCompletions': {
      const [failure] = failures;
      expect(failures).toHaveLength(1);
      messageOf(client, failure);
      expect(Object.keys(failure)).toEqual(['error']);
      expect(`${failure.error.type}/${failure.error.code}`).toBe(word);
      expect(outcome.text).not.toContain('[DONE]');
      break;
    }
    case 'generateContent': {
      const error = failures.at(-1)?.error;
      messageOf(client, failures.at(-1));
      expect(error.status).toBe(word);
      if (mode === 'array') expect(failures).toHaveLength(1);
      else {
        const bare = outcome.text.slice(outcome.text.lastIndexOf('\n', outcome.text.length - 2) + 1);
        expect(JSON.parse(bare)).toEqual({ error });
      }
    }
  }
}

/** An answer as if nothing had happened. */
export function expectAnswer(client: DialectId, mode: Mode, outcome: Outcome, said: string): void {
  expect([outcome.status, outcome.complete]).toEqual([200, true]);
  if (mode === 'plain') {
    expect(WIRES[client].hear(JSON.parse(outcome.text)).text).toBe(said);
    return;
  }
  const events = eventsOf(outcome.text, mode);
  expect(textOf(client, events)).toBe(said);
  expect(events.filter(FAILURE[client])).toEqual([]);
  const last: Tree[] = events.filter(ENDS[client]);
  expect(last).toHaveLength(1);
}

/** An answer that is whole without its last event, passed on as it came. */
export function expectNothingAdded(client: DialectId, outcome: Outcome, said: string): void {
  expect([outcome.status, outcome.complete]).toEqual([200, true]);
  const events = eventsOf(outcome.text, 'stream');
  expect(textOf(client, events)).toBe(said);
  expect(events.filter((event) => FAILURE[client](event) || ENDS[client](event))).toEqual([]);
}

const ENDS = tableOf('isLastEvent');
