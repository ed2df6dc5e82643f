import { describe, expect, test } from '@jest/globals';
import {
  type DialectId,
  decodeRequest,
  decodeResponse,
  dialectIds,
  encodeResponse,
  FEATURES,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { isObject } from '../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, isRecorded, recordedExchanges } from '../support/corpus.js';
import { tableOf } from '../support/dialects/index.js';
import { requestFaults } from '../support/legal.js';
import { CROSS_PAIRS, TRIED } from '../support/pairs.js';
import { share } from '../support/runs.js';
import { has, lawTableOf } from './dialects/index.js';

const MODELS = tableOf('model');

const RECORDED = CROSS_PAIRS.filter(([from]) => isRecorded(from));

const REFUSALS = lawTableOf('foreseenRefusals');

const suite = corpusPresent ? describe : describe.skip;

/** Recorded requests of a dialect that its own service took. */
function takenRequests(from: DialectId) {
  return recordedExchanges(from).filter(
    (recorded) => recorded.request !== undefined && isCreate(recorded) && recorded.status === 200,
  );
}

suite(`recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(RECORDED)(
    '%s to %s: what is sent is what the service takes, or refused as the matrix foresees',
    (from, to) => {
      const faults: string[] = [];
      const foreseen = REFUSALS[from].filter(({ where }) => where === undefined || has(to, where));
      const refused = new Set<unknown>();
      let sent = 0;
      for (const { name, request } of takenRequests(from)) {
        const known = foreseen.find(({ recordings }) => recordings.test(name));
        try {
          const { body } = translateRequest({ from, to, body: request, model: MODELS[to], stream: false });
          sent += 1;
          if (known !== undefined) faults.push(`${name}: is no longer refused`);
          for (const fault of requestFaults(to, body as never, MODELS[to])) faults.push(`${name}: ${fault}`);
          // The dialect's own schemas take it, and it says what was meant to a reader of that dialect.
          decodeRequest(to, body, { model: MODELS[to] });
        } catch (error) {
          refused.add(known);
          if (!(error instanceof TranslationError) || !known?.path.test(error.path))
            faults.push(`${name}: ${String(error)} ${error instanceof TranslationError ? error.path : ''}`);
        }
      }
      expect(faults).toEqual([]);
      expect(foreseen.filter((one) => !refused.has(one))).toEqual([]);
      expect(sent).toBeGreaterThan(20);
    },
  );

  test.each(RECORDED)(
    '%s to %s: every loss names something that is there, a feature of the list, and why',
    (from, to) => {
      const faults: string[] = [];
      for (const { name, request } of share(takenRequests(from), dialectIds.indexOf(to))) {
        try {
          const { losses } = translateRequest({ from, to, body: request, model: MODELS[to], stream: false });
          for (const loss of losses) {
            const parent = loss.path.slice(0, Math.max(0, loss.path.lastIndexOf('/')));
            const sound =
              (loss.feature in FEATURES || loss.feature.startsWith('ext.')) &&
              loss.detail !== '' &&
              (at(request, loss.path) !== undefined || at(request, parent) !== undefined);
            if (!sound) faults.push(`${name}: ${JSON.stringify(loss)}`);
          }
        } catch (error) {
          if (!(error instanceof TranslationError)) throw error;
        }
      }
      expect(faults).toEqual([]);
    },
  );
});

function at(body: unknown, pointer: string): unknown {
  let node = body;
  for (const step of pointer.split('/').slice(1)) {
    node =
      typeof node === 'object' && node !== null
        ? Reflect.get(node, step.replaceAll('~1', '/').replaceAll('~0', '~'))
        : undefined;
  }
  return node;
}

suite(`recorded answers ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(RECORDED)('%s to %s: every answer is one that its client can read', (from, to) => {
    const faults: string[] = [];
    for (const recorded of share(recordedExchanges(from), dialectIds.indexOf(to))) {
      if (recorded.response === undefined || !isCreate(recorded) || recorded.status !== 200) continue;
      if (Array.isArray(recorded.response)) continue;
      try {
        const { body } = translateResponse({ from, to, body: recorded.response });
        decodeResponse(to, body);
      } catch (error) {
        faults.push(`${recorded.name}: ${String(error)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test.each(TRIED)('%s: decoding and encoding an answer is the identity', (dialect) => {
    for (const recorded of recordedExchanges(dialect)) {
      if (!isObject(recorded.response) || !isCreate(recorded) || recorded.status !== 200) continue;
      const { value } = decodeResponse(dialect, recorded.response);
      expect({ [recorded.name]: encodeResponse(dialect, value).value }).toEqual({ [recorded.name]: recorded.response });
    }
  });
});
