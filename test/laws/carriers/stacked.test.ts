import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { requestFaults } from '../../support/legal.js';
import { PAIRS, runsOfPair } from '../../support/pairs.js';
import { type Hop, modelOf, type Passage } from './chain.js';
import { type Deed, deeds } from './deeds.js';
import { createBackend, type Done, faults, missing, runSession, type Step, tokensIn } from './session.js';

/** Gateways that are asked in these dialects, one behind the other; each in a domain of its own unless one is given. */
function through(dialects: readonly DialectId[], domain?: string): Hop[] {
  return dialects.map((to, index) => ({
    to,
    domain: domain ?? `gateway_${index}_${to}`,
    others: new Set<string>(),
  }));
}

/**
 * What gateways on the way would be refused for, if they were the services that they speak like. Beside what these take,
 * gateways take state on calls of chat completions (translation.md 4.6), and state that came behind all words of an
 * answer, as streams of chat completions have it (translation.md 4.3.4).
 */
function faultsBetween({ bodies }: Passage, step: Step): string[] {
  return hopsOf(step).flatMap(({ to }, index) => {
    const text = JSON.stringify(bodies[index], (key, value) => (key === 'extra_content' ? undefined : value));
    return requestFaults(to, JSON.parse(text), modelOf(to)).filter((fault) => !TRAILING.test(fault));
  });
}

/** What a responses service says of an item that a gateway made, at the end of a turn. */
const TRAILING = /^Item 'rs_il\w+' of type 'reasoning' was provided without its required following item/;

/** Pictures lose their place where a dialect on the way knows none in an assistant's turn (translation.md 2.6). */
function withoutPictures(list: readonly Deed[]): Deed[] {
  return list.filter(({ kind }) => kind !== 'picture');
}

const answer = fc.record({ deeds: deeds.map(withoutPictures), stream: fc.boolean() });
const way = fc.array(fc.constantFrom(...dialectIds), { maxLength: 4 });
/** So many layers are opened and no more (translation.md 4.2.7). */
const DEPTH = 4;

/** The domains around the state of an answer, the innermost first: every gateway that translates adds one. */
function layersOf(client: DialectId, hops: readonly Hop[]): string[] {
  return hops
    .filter(({ to }, index) => to !== (hops[index - 1]?.to ?? client))
    .map(({ domain }) => domain)
    .reverse();
}

/** Whether state that came one way reaches its issuer another way: every gateway opens what it can, and a translating one drops the rest. */
function arrives(client: DialectId, came: readonly Hop[], goes: readonly Hop[]): boolean {
  let layers = layersOf(client, came);
  let from = client;
  for (const { to, domain } of goes) {
    const place = layers.indexOf(domain);
    if (place >= 0 && layers.length - place <= DEPTH) layers = layers.slice(0, place);
    else if (to !== from) return false;
    from = to;
  }
  return layers.length === 0;
}

function hopsOf({ through: hops, backend: { dialect, domain } }: Step): Hop[] {
  return [...hops, { to: dialect, domain, others: new Set() }];
}

describe('gateways in front of gateways', () => {
  test.each(PAIRS)('%s to %s by way of one or two others', (client, dialect) => {
    const ways = fc.array(fc.constantFrom(...dialectIds), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(ways, fc.array(answer, { minLength: 2, maxLength: 5 }), fc.boolean(), (dialects, steps, shared) => {
        // Where a gateway and the backend share a domain and a dialect, with a third between them, nobody can tell whose layer is meant.
        const domain = shared && !dialects.slice(0, -1).includes(dialect) ? 'home' : undefined;
        const backend = createBackend(dialect, 'home');
        runSession(
          client,
          steps.map((step) => ({ ...step, backend, through: through(dialects, domain) })),
          (passage, step, earlier) => {
            expect(missing(passage, step, earlier)).toEqual([]);
            expect(faults(passage, step)).toEqual([]);
            expect(faultsBetween(passage, step)).toEqual([]);
          },
        );
      }),
      { numRuns: runsOfPair(10) },
    );
  });

  test.each(PAIRS)(
    '%s to %s by ways that change: what can be opened comes home, the rest stays away',
    (client, dialect) => {
      const steps = fc.array(fc.tuple(way, answer), { minLength: 2, maxLength: 6 });
      fc.assert(
        fc.property(steps, (drawn) => {
          const backend = createBackend(dialect, 'home');
          runSession(
            client,
            drawn.map(([dialects, step]) => ({ ...step, backend, through: through(dialects) })),
            (passage, step, earlier) => {
              expect(faults(passage, step)).toEqual([]);
              for (const done of earlier) {
                const tokens = tokensIn(done);
                const expected = arrives(client, hopsOf(done.step), hopsOf(step)) ? tokens : [];
                const held = heldOf(passage.sent, tokens);
                // What is on a part of one message's text has no place there.
                const lost = passage.unordered || done.passage.unordered;
                expect(held).toEqual(lost ? expected.filter((token) => held.includes(token)) : expected);
              }
            },
          );
        }),
        { numRuns: runsOfPair(10) },
      );
    },
  );
});

function heldOf(sent: Done['passage']['sent'], tokens: readonly string[]): string[] {
  const text = JSON.stringify(sent);
  return tokens.filter((token) => text.includes(token));
}
