import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStreamTranslator, type DialectId } from '../../../translators/index.js';
import { answerEvents } from '../../support/answers.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { lawTableOf } from '../dialects/index.js';

/** What an event may hold that no service should send. */
const JUNK = fc.constantFrom<unknown>(null, true, 7, -1, '', 'x', [], {}, [null], { type: 'text' }, undefined);

const LAST_WORDS = lawTableOf('terminalFrames');

type Path = readonly (string | number)[];

function paths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, child]) => paths(child, [...at, key]))];
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  Reflect.set(copy, step, replaced(Reflect.get(value, step), rest, by));
  return copy;
}

/** A short stream of a dialect in which some event lacks, repeats or twists something. */
function oddStream(dialect: DialectId): fc.Arbitrary<string> {
  const events = answerEvents(dialect, 3);
  const twist = fc.record({
    at: fc.nat(events.length - 1),
    how: fc.constantFrom('drop', 'twice', 'twist', 'twist', 'twist'),
    place: fc.nat(200),
    junk: JUNK,
  });
  return fc.array(twist, { minLength: 1, maxLength: 3 }).map((twists) =>
    events
      .flatMap((data, index) => {
        let body: unknown = data;
        let times = 1;
        for (const { how, place, junk } of twists.filter(({ at }) => at === index)) {
          if (how === 'drop') times = 0;
          else if (how === 'twice') times = 2;
          else {
            const all = paths(body);
            body = replaced(body, all[place % all.length] ?? [], junk);
          }
        }
        const frame = `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(body) ?? ''}\n\n`;
        return Array.from({ length: times }, () => frame);
      })
      .join(''),
  );
}

describe('whatever a backend streams', () => {
  test.each(CROSS_PAIRS)('%s to %s: the client reads whole frames and exactly one last word', (from, to) => {
    fc.assert(
      fc.property(oddStream(from), (stream) => {
        const translator = createStreamTranslator({ from, to, now: 1 });
        const out = translator.push(stream) + translator.end();
        expect(out.match(LAST_WORDS[to]) ?? []).toHaveLength(1);
        const lines = [...out.matchAll(/^data: (.*?)\r?$/gm)].map(([, data = '']) => data);
        for (const data of lines) if (data !== '[DONE]') expect(() => JSON.parse(data)).not.toThrow();
        expect(translator.push(stream) + translator.end()).toBe('');
      }),
      { numRuns: runsOfPair(150) },
    );
  });
});
