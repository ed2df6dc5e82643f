import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  type JsonObject,
  TranslationError,
  translateResponse,
} from '../../translators/index.js';
import { streamsOf } from '../laws/streams/generate/index.js';
import { requestsOf } from '../laws/streams/generate/requests.js';
import { loadCases, parseFrames, parseJson } from '../support/cases.js';
import { isCreate, recordedExchanges } from '../support/corpus.js';
import { tableOf } from '../support/dialects/index.js';
import { typedObjects } from '../support/fields/index.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import { enough, share } from '../support/runs.js';
import { scenariosOf } from '../support/scenarios.js';
import { ANSWERS } from '../support/support-table/index.js';
import { ANSWER_TYPES, REQUIRED } from './answer-types.js';
import { complaintsAbout, type Literal, type Literals } from './literals.js';

/*
 * What clients read: every answer and stream that the tests have of a backend, written by hand, generated or recorded, is
 * told to clients of the other dialects, and each answer and each event is written out as a literal under the official
 * client's types, which the compiler checks. Missing keys, unknown ones and words outside of an enum fail. The compiler runs
 * once, so that it is asked here, too, whether test/support/fields has every field of a request.
 */

/** An answer of a backend: a body, or the text of a stream. */
interface Given {
  readonly name: string;
  readonly body: unknown;
  /** What clients asked for, which decides how they are told. */
  readonly requests?: Partial<Record<DialectId, unknown>>;
}

const FOLDERS = tableOf('folder');

/** The answers of `dialect` in the tests; streams are text. */
function answersOf(dialect: DialectId): Given[] {
  return [...casesOf(dialect), ...rowsOf(dialect), ...goldenOf(dialect), ...madeOf(dialect), ...recordedOf(dialect)];
}

const CASES = loadCases(join(import.meta.dirname, '..', 'cases'));

function casesOf(dialect: DialectId): Given[] {
  return CASES.flatMap((file) =>
    scenariosOf(file).flatMap((scenario): Given[] => {
      if (scenario.kind === 'request' || scenario.kind === 'error' || scenario.backend !== dialect) return [];
      const name = `${file.name}:${scenario.given.lines[0]}`;
      const body = scenario.kind === 'sse' ? `${scenario.given.text}\n\n` : parseJson(file, scenario.given);
      const asked = scenario.expectations.map(({ client, request }) => [client, request && parseJson(file, request)]);
      return [{ name, body, requests: Object.fromEntries(asked) }];
    }),
  );
}

function rowsOf(dialect: DialectId): Given[] {
  const rows = ANSWERS.flatMap((area) => area.rows);
  return rows.map(({ feature, says }) => ({ name: feature, body: says[dialect] })).filter(({ body }) => body);
}

function goldenOf(dialect: DialectId): Given[] {
  return ['answers', 'streams'].flatMap((kind) => {
    const folder = join(import.meta.dirname, '..', 'golden', FOLDERS[dialect], kind);
    const files = readdirSync(folder).filter((file) => !file.endsWith('.canonical.json'));
    return files.map((file): Given => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { name: `golden ${file}`, body: kind === 'answers' ? JSON.parse(text) : text };
    });
  });
}

function madeOf(dialect: DialectId): Given[] {
  const asked = fc.record({ ...requestsOf });
  const made = fc.sample(fc.tuple(streamsOf[dialect], asked), { numRuns: 60, seed: 7 });
  return made.map(([{ text }, requests], index) => ({ name: `made stream ${index}`, body: text, requests }));
}

function recordedOf(dialect: DialectId): Given[] {
  return recordedExchanges(dialect).flatMap((recorded): Given[] => {
    if (!isCreate(recorded) || recorded.status !== 200) return [];
    const body = recorded.stream?.toString() ?? recorded.response;
    return body === undefined || Array.isArray(body) ? [] : [{ name: recorded.name, body }];
  });
}

const HOST = { now: 1_700_000_000, nonce: 'types', model: 'm' };

/** What a client of `to` reads of an answer: the answer, or the events of a stream. */
function told(from: DialectId, to: DialectId, { name, body, requests }: Given): Literal[] {
  const request = requests?.[to];
  const host = { ...HOST, from, to, ...(request !== undefined && { request }) };
  if (typeof body === 'string') {
    const translator = createStreamTranslator({ ...host, stream: true });
    const frames = parseFrames(translator.push(body) + translator.end());
    const events = frames.filter(({ data }) => data !== '[DONE]');
    return events.map(({ data }) => ({ name, type: 'Event', value: data }));
  }
  try {
    return [{ name, type: 'Answer', value: translateResponse({ ...host, body }).body }];
  } catch (error) {
    // Answers that are failures to this client.
    if (error instanceof TranslationError) return [];
    throw error;
  }
}

/** Values of the same form but for their words and numbers are checked once. */
function formOf({ type, value }: Literal): string {
  const form = JSON.stringify(value, (key, child) => {
    if (typeof child === 'number') return 0;
    return typeof child === 'string' && FREE.has(key) ? '' : child;
  });
  return `${type} ${form}`;
}

const FREE: ReadonlySet<string> = new Set([
  ...['text', 'delta', 'partial_json', 'thinking', 'signature', 'thoughtSignature', 'encrypted_content', 'arguments'],
  ...['id', 'call_id', 'item_id', 'tool_use_id', 'responseId', 'data', 'result', 'partial_image_b64', 'name', 'url'],
  ...['uri', 'title', 'cited_text', 'code', 'input', 'output', 'logs', 'token', 'message'],
  ...['content', 'refusal', 'reasoning', 'reasoning_content'],
]);

/** Sound values with one fault: that the compiler complains about each shows that it looks. */
function controlsOf(to: DialectId, values: readonly Literal[]): Literal[] {
  return (['Answer', 'Event'] as const).flatMap((type) => {
    const missing = REQUIRED[to][type === 'Answer' ? 'answer' : 'event'];
    const sound = values.find((one) => one.type === type && missing in Object(one.value))?.value as JsonObject;
    const { [missing]: _left, ...refusedMember } = sound;
    return [
      { name: 'control missing', type, value: refusedMember },
      { name: 'control unknown', type, value: { ...sound, nobodyKnows: 1 } },
    ];
  });
}

function literalsOf(from: DialectId, to: DialectId, answers: readonly Given[]): Literals {
  const forms = new Map<string, Literal>();
  const tried = share(answers, dialectIds.indexOf(to));
  for (const given of tried) for (const literal of told(from, to, given)) forms.set(formOf(literal), literal);
  const values = [...forms.values()];
  const count = (type: Literal['type']): number => values.filter((one) => one.type === type).length;
  expect(count('Answer')).toBeGreaterThan(
    enough(
      tried.filter(({ body }) => typeof body !== 'string'),
      10,
    ),
  );
  expect(count('Event')).toBeGreaterThan(enough(tried.filter(({ body }) => typeof body === 'string')));
  return { values: [...values, ...controlsOf(to, values)], types: ANSWER_TYPES[to] };
}

/** The documented objects of requests, each as its keys, and the first, which is the request, without its tools. */
function fieldsOf(dialect: DialectId): Literals {
  const { documented, types } = typedObjects(dialect);
  const values = documented.flatMap(({ name, known }) => (known ? [keysOf(name, known.type, known.keys)] : []));
  const lacking = values.slice(0, 1).map(({ type, value }) => {
    const { tools: _tools, ...keys } = Object(value);
    return { name: 'control lacking', type, value: keys };
  });
  return { values: [...values, ...lacking], types: `${types}${KEYS}` };
}

function keysOf(name: string, type: string, keys: readonly string[]): Literal {
  return { name, type: `Keys<${type}>`, value: Object.fromEntries(keys.map((key) => [key, 0])) };
}

/** Every key that an object of a type, or of one of several types, may have. The wire may have more. */
const KEYS = `
type Keys<T> = Record<T extends unknown ? keyof T : never, unknown> & Record<string, unknown>;
`;

test('answers and events are values of the official types, and no field of requests is missing in the tests', () => {
  const answers = dialectIds.flatMap((from) => {
    const given = answersOf(from);
    const others = CROSS_PAIRS.flatMap(([one, to]) => (one === from ? [to] : []));
    return others.map((to) => [`${from}-${to}`, literalsOf(from, to, given)] as const);
  });
  const fields = dialectIds.map((dialect) => [`fields-of-${dialect}`, fieldsOf(dialect)] as const);
  const found = complaintsAbout(Object.fromEntries([...answers, ...fields]));
  expect(found.filter((text) => !/ control (?:missing|unknown|lacking): /.test(text))).toEqual([]);
  expect(found.filter((text) => text.includes(' control lacking: '))).toHaveLength(dialectIds.length);
  for (const fault of ['missing', 'unknown'])
    expect(found.filter((text) => text.includes(` control ${fault}: `))).toHaveLength(CROSS_PAIRS.length * 2);
}, 300_000);
