import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type CanonicalResponse,
  type DialectId,
  decodeResponse,
  dialectIds,
  encodeResponse,
  isDialectId,
  TranslationError,
} from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { loadCases, parseJson } from '../../support/cases.js';
import { recordedExchanges } from '../../support/corpus.js';
import { CROSS_PAIRS } from '../../support/pairs.js';
import { enough, share } from '../../support/runs.js';
import { compare } from './compare.js';
import { answerFaults } from './legal.js';
import { located } from './responses.js';

interface Answer {
  readonly name: string;
  readonly dialect: DialectId;
  readonly body: unknown;
}

/** The answers of backends in the markdown cases. Some leave out what a service always says: those are no answers. */
function answersOfCases(): Answer[] {
  return loadCases(join(import.meta.dirname, '../../cases')).flatMap((file) =>
    file.blocks.flatMap((block) => {
      const dialect = block.attributes.backend;
      if (block.lang !== 'json' || !block.words.has('response') || !isDialectId(dialect)) return [];
      return [{ name: `${file.name} ${block.heading}`, dialect, body: parseJson(file, block) }];
    }),
  );
}

/** The recorded answers, where the corpus is there. */
function recordedAnswers(dialect: DialectId): Answer[] {
  return recordedExchanges(dialect).flatMap(({ name, response, status }) =>
    isObject(response) && status === 200 ? [{ name, dialect, body: response }] : [],
  );
}

function decoded({ dialect, body }: Answer): CanonicalResponse | undefined {
  try {
    return located(decodeResponse(dialect, body).value);
  } catch (thrown) {
    if (thrown instanceof TranslationError) return undefined;
    throw thrown;
  }
}

/** What is wrong with one translation of an answer; the answer as its client reads it, when it is one. */
function hop(
  client: DialectId,
  source: CanonicalResponse,
): { readonly faults: string[]; readonly read?: CanonicalResponse } {
  try {
    const { value, losses } = encodeResponse(client, source, { nonce: 'law', now: 1_700_000_000 });
    const body = JSON.parse(JSON.stringify(value));
    const read = decodeResponse(client, body).value;
    return {
      faults: [...answerFaults(client, body), ...compare({ client, source, read, losses })],
      read: located(read),
    };
  } catch (thrown) {
    // Ends that are failures to this client (translation.md 5.2).
    if (thrown instanceof TranslationError && FAILURES.has(source.finish.kind)) return { faults: [] };
    throw thrown;
  }
}

const FAILURES: ReadonlySet<string> = new Set(['malformed_call', 'no_image', 'cancelled', 'failed', 'other']);

const CASES = answersOfCases();

function answersOf(dialect: DialectId): Answer[] {
  return [...CASES.filter((answer) => answer.dialect === dialect), ...recordedAnswers(dialect)];
}

/** A dialect that no answer is written or recorded in yet has none to try. */
const ANSWERED = CROSS_PAIRS.filter(([from]) => answersOf(from).length > 0);

describe('answers, there and back', () => {
  test.each(ANSWERED)('%s to %s and home: equal but for what the two reports name', (from, to) => {
    const broken: string[] = [];
    let read = 0;
    const given = share(answersOf(from), dialectIds.indexOf(to));
    for (const answer of given) {
      const source = decoded(answer);
      if (source === undefined) continue;
      read += 1;
      const there = hop(to, source);
      const back = there.read === undefined ? { faults: [] } : hop(from, there.read);
      broken.push(...there.faults.map((fault) => `${answer.name} there: ${fault}`));
      broken.push(...back.faults.map((fault) => `${answer.name} back: ${fault}`));
    }
    expect(broken).toEqual([]);
    expect(read).toBeGreaterThan(enough(given, 5));
  });
});
