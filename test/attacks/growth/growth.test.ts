import { describe, expect, it } from '@jest/globals';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../../translators/index.js';
import { growthOf, MOST_GROWTH } from '../../support/growth.js';
import { SHORT, share } from '../../support/runs.js';
import { GROWING_ANSWERS } from './answers.js';
import { GROWING_REQUESTS } from './requests.js';
import { GROWING_STREAMS } from './streams.js';

/** Lists of every kind cost what is in line with their length, neighbours of one speaker among them (attacks.md findings 3 and 16). */

/** A refusal is an answer too; what it costs to find counts like any other. */
function orRefused(work: () => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TranslationError)) throw error;
    }
  };
}

function grows<Row extends { readonly name: string; readonly from: DialectId }>(
  rows: readonly Row[],
  prepare: (row: Row, to: DialectId, entries: number) => () => void,
): void {
  share(rows).forEach((row, index) => {
    const targets = dialectIds.filter((dialect) => dialect !== row.from);
    for (const to of SHORT ? [targets[index % targets.length] ?? row.from] : targets) {
      it(`${row.from} to ${to}: ${row.name}`, () => {
        const growth = growthOf((entries) => orRefused(prepare(row, to, entries)));
        expect(growth).toBeLessThan(MOST_GROWTH);
      });
    }
  });
}

describe('What a request costs grows with its lists and no faster', () => {
  grows(GROWING_REQUESTS, ({ from, body }, to, entries) => {
    const given = body(entries);
    return () => translateRequest({ from, to, body: given });
  });
});

describe('What an answer costs grows with its lists and no faster', () => {
  grows(GROWING_ANSWERS, ({ from, body }, to, entries) => {
    const given = body(entries);
    return () => translateResponse({ from, to, body: given });
  });
});

describe('What a stream costs grows with its length and no faster', () => {
  grows(GROWING_STREAMS, ({ from, text }, to, entries) => {
    const given = new TextEncoder().encode(text(entries));
    return () => {
      const translator = createStreamTranslator({ from, to });
      for (let at = 0; at < given.length; at += 16_384) translator.push(given.subarray(at, at + 16_384));
      translator.end();
    };
  });
});
