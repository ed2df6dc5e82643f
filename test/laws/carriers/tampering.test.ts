import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { lawTableOf } from '../dialects/index.js';
import { deeds } from './deeds.js';
import type { Json } from './issuers.js';
import { createBackend, faults, runSession } from './session.js';

/** What a client can do to a carrier in its history. */
const DAMAGE: Record<string, (value: string) => string> = {
  cut: (value) => value.slice(0, -12),
  'cut to the mark': (value) => value.slice(0, 8),
  changed: (value) => `${value.slice(0, 40)}${value[40] === 'A' ? 'B' : 'A'}${value.slice(41)}`,
  'url-safe': (value) => value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  broken: (value) => value.replace(/(.{70})/g, '$1\n'),
  upper: (value) => value.toUpperCase(),
};
const MOVES = ['drop', 'twice', 'elsewhere', 'exchange', 'strip'] as const;

/** Where the state of one dialect stands in a history. */
interface Slot {
  readonly list: Json[];
  readonly node: Json;
  readonly key: string;
}

const HOLDERS = lawTableOf('stateHolders');

function slots(dialect: DialectId, history: Json[]): Slot[] {
  const { lists, key } = HOLDERS[dialect](history);
  return lists.flatMap((list) => list.filter((node) => node[key] !== undefined).map((node) => ({ list, node, key })));
}

/** Whether a node is there for its state only, so that it moves as a whole. */
function isVessel({ node }: Slot): boolean {
  return node.type === 'thinking' || node.type === 'reasoning';
}

interface Tampering {
  readonly how: string;
  readonly at: number;
  readonly other: number;
}

function tamper(dialect: DialectId, history: Json[], { how, at, other }: Tampering): void {
  const all = slots(dialect, history);
  const slot = all[at % Math.max(1, all.length)];
  const target = all[other % Math.max(1, all.length)];
  if (slot === undefined || target === undefined) return;
  const value = String(slot.node[slot.key]);
  const place = slot.list.indexOf(slot.node);
  switch (how) {
    case 'drop':
      if (isVessel(slot)) slot.list.splice(place, 1);
      else delete slot.node[slot.key];
      return;
    case 'twice':
      if (isVessel(slot)) slot.list.splice(place, 0, { ...slot.node });
      else target.node[target.key] = value;
      return;
    case 'elsewhere':
      if (isVessel(slot)) {
        slot.list.splice(place, 1);
        target.list.splice(Math.max(0, target.list.indexOf(target.node)), 0, slot.node);
      } else {
        delete slot.node[slot.key];
        target.node[target.key] = value;
      }
      return;
    case 'exchange':
      slot.node[slot.key] = target.node[target.key];
      target.node[target.key] = value;
      return;
    case 'strip':
      if (slot.node.type === 'thinking') slot.node.thinking = '';
      else if (slot.node.type === 'reasoning') slot.node.summary = [];
      else slot.list.splice(0, slot.list.length, ...slot.list.filter(({ thought }) => thought !== true));
      return;
    default:
      slot.node[slot.key] = DAMAGE[how]?.(value);
  }
}

const tampering = fc.record({
  how: fc.constantFrom(...MOVES, ...Object.keys(DAMAGE)),
  at: fc.nat(20),
  other: fc.nat(20),
});
const steps = fc.array(fc.record({ deeds, stream: fc.boolean(), done: fc.array(tampering, { maxLength: 2 }) }), {
  minLength: 2,
  maxLength: 8,
});

describe('what clients do to state never makes a backend refuse', () => {
  test.each(CROSS_PAIRS)('a client of %s and a backend of %s', (client, dialect) => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const backend = createBackend(dialect, 'home', true);
        runSession(
          client,
          drawn.map(({ done, ...step }) => ({
            ...step,
            backend,
            through: [],
            before: (history) => {
              for (const one of done) tamper(client, history, one);
            },
          })),
          (passage, step) => expect(faults(passage, step)).toEqual([]),
        );
      }),
      { numRuns: runsOfPair(20) },
    );
  });
});
