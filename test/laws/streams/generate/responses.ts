import fc from 'fast-check';
import { type Data, readData } from '../../../support/frames.js';
import { response } from '../../../support/wire/responses.js';
import { frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import { anyItem, cutItem, type Item } from './response-items.js';
import { inTurn, maybe, seldom, type Wire } from './values.js';

const { running, usages, endings, strangers } = readData('laws/streams/generate/responses.yaml');

const BASE = response([], running);

const ending: fc.Arbitrary<Data> = fc.oneof(
  ...endings.map(({ weight = 1, ...end }: Data) => ({ weight, arbitrary: fc.constant(end) })),
);

/** Legal streams of this dialect ([R §5]), and of hosts that take its liberties. */
export const responsesStream: fc.Arbitrary<WireStream> = fc
  .record({
    items: fc.array(anyItem, { maxLength: 5 }),
    last: maybe(cutItem),
    ending,
    usage: fc.constantFrom<Wire | null>(...usages),
    queued: fc.boolean(),
    picks: maybe(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 })),
    strangers: fc.array(fc.tuple(fc.nat(), fc.constantFrom<Wire | 'progress'>(...strangers)), { maxLength: 3 }),
    numbered: fc.boolean(),
    rotates: seldom(10),
    silentOutput: seldom(10),
    framing,
  })
  .map((spec) => {
    const { type, fields, cut = false, error, silent = false } = spec.ending;
    const makers = [...spec.items, ...(spec.last === undefined ? [] : [spec.last])];
    const items: Item[] = makers.map((make, index) => make(index, cut && index === makers.length - 1));
    // Services announce items in order; some of them end late.
    const events = inTurn(
      items.map((item) => item.events),
      spec.picks,
    );
    const open = { ...BASE, status: spec.queued ? 'queued' : 'in_progress' };
    for (const [at, one] of spec.strangers) {
      const event = one === 'progress' ? { type: 'response.in_progress', response: BASE } : one;
      events.splice(at % (events.length + 1), 0, event);
    }
    const output = spec.silentOutput ? [] : items.map(({ node }) => node);
    const whole = { ...BASE, usage: spec.usage, ...fields, output };
    const last = { type, response: whole };
    const all: Wire[] = [
      { type: 'response.created', response: open },
      ...(spec.queued ? [{ type: 'response.queued', response: open }] : []),
      { type: 'response.in_progress', response: BASE },
      ...events,
      ...(error === undefined ? [] : [error]),
      ...(silent ? [] : [last]),
    ];
    const framed = all.map((event, sequence_number): WireEvent => {
      const id =
        typeof event.item_id === 'string' && spec.rotates ? { item_id: `${event.item_id}${sequence_number}` } : {};
      const data = { ...event, ...id, ...(spec.numbered && { sequence_number }) };
      return { name: String(event.type), data, finishes: event === last };
    });
    const stream = frameStream(framed, spec.framing, spec.picks !== undefined);
    // Some hosts leave the output out of their last word.
    return output.length > 0 && type !== 'response.failed' ? { ...stream, whole } : stream;
  });
