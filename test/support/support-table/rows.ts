import { isDeepStrictEqual } from 'node:util';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { type Data, fill, readData } from '../frames.js';
import { completion } from '../wire/chat-completions.js';
import { content } from '../wire/generate-content.js';
import { message } from '../wire/messages.js';
import { response } from '../wire/responses.js';

type Body = Readonly<Record<string, unknown>>;
type Bodies = Readonly<Partial<Record<DialectId, Body>>>;

/** One row: a feature and how each dialect that knows it says it. */
export interface Row {
  readonly feature: string;
  /** A body of each dialect; a dialect without one cannot say it. */
  readonly says: Bodies;
  /** The same bodies without the feature: what they lose is not this row's. */
  readonly without?: Bodies;
}

/** The rows of one table. */
export interface Area {
  readonly name: string;
  readonly rows: readonly Row[];
}

const { shared: _shared, base, frames, clients, ...requests } = readData('support/support-table/requests.yaml');
const { shared: _values, ...answers } = readData('support/support-table/answers.yaml');

/** A request of requests.yaml: `place` is the dialect, or the dialect and the name of a frame. */
export function requestOf(place: string, value: Data = {}): Record<string, unknown> {
  const [dialect = ''] = place.split(' ');
  return { ...base[dialect], ...(place === dialect ? value : fill(frames[place], value)) };
}

const ANSWERS_OF: Readonly<Record<string, (value: Data) => Body>> = {
  messages: ({ content: blocks, ...more }) => message(blocks, more),
  responses: ({ output, ...more }) => response(output, more),
  generateContent: ({ parts, answer, ...candidate }) => content(parts, candidate, answer),
  chatCompletions: ({ message: said, answer, ...choice }) => completion(said, choice, answer),
};

function answerOf(place: string, value: Data): Body {
  return ANSWERS_OF[place]?.(value) ?? value;
}

type BodyOf = (place: string, value: Data) => Body;

function bodiesOf(lines: object, bodyOf: BodyOf): Bodies {
  return Object.fromEntries(
    dialectIds.flatMap((dialect) =>
      Object.entries(lines)
        .filter(([place]) => place.split(' ')[0] === dialect)
        .map(([place, value]) => [dialect, bodyOf(place, value)]),
    ),
  );
}

/** @param usual the row without the feature, where a row names none */
function areasOf(data: Data, bodyOf: BodyOf, usual?: string): readonly Area[] {
  const lines = new Map<string, Data>(Object.values<Data>(data).flatMap((rows) => Object.entries(rows)));
  const bodies = (given: Data): Bodies | undefined =>
    given === undefined ? undefined : bodiesOf(typeof given === 'string' ? lines.get(given) : given, bodyOf);
  const rowOf = ([feature, { without, ...said }]: [string, Data]): Row => {
    const says = bodiesOf(said, bodyOf);
    const bare = bodies(without ?? usual);
    return isDeepStrictEqual(says, bare) ? { feature, says } : { feature, says, without: bare };
  };
  return Object.entries<Data>(data).map(([name, rows]) => ({ name, rows: Object.entries<Data>(rows).map(rowOf) }));
}

/** What a request can say (translation.md 2). */
export const REQUESTS = areasOf(requests, requestOf);

/** What an answer can say (translation.md 5). */
export const ANSWERS = areasOf(answers, answerOf, 'text');

/** Requests of clients that are told everything of an answer. */
export const CLIENTS = bodiesOf(clients, requestOf);
