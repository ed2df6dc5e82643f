import type { StreamEvent } from '../../translators/canonical/events.js';
import { type Data, readData } from '../support/frames.js';

const WORDS: Readonly<Record<string, StreamEvent>> = {
  start: { type: 'start', id: 'msg_1', model: 'far-model' },
  usage: { type: 'usage', usage: { input: 12, output: 7, cacheRead: 3, reasoning: 2 } },
  end: { type: 'end' },
};

/** The events of a step; of a part at the place `ix`. */
function eventsOf(step: Data, ix: number): StreamEvent[] {
  if (typeof step === 'string') return [WORDS[step] ?? WORDS.end].flatMap((event) => event ?? []);
  if (step.finish !== undefined) {
    const { finish: kind, ...more } = step;
    return [{ type: 'finish', finish: { kind, raw: kind, dialect: 'other', ...more } }];
  }
  if (step.text !== undefined) {
    const deltas = step.text.map((value: string) => ['text', value]);
    return eventsOf({ part: { kind: 'text', text: '' }, becomes: { text: step.text.join('') }, deltas }, ix);
  }
  if (step.type !== undefined) return [step];
  const part = { ...step.part, ...step.becomes };
  return [
    { type: 'part.start', ix, part: step.part },
    ...(step.deltas ?? []).map(([op, value, sub]: Data) => ({
      type: 'part.delta',
      ix,
      op,
      value,
      ...(sub !== undefined && { sub }),
    })),
    ...(part.state === undefined ? [] : [{ type: 'part.state', ix, entries: part.state } as const]),
    { type: 'part.end', ix, part },
  ];
}

function streamOf(given: readonly Data[]): StreamEvent[] {
  const steps = given.at(-1) === 'end' ? given : ['start', ...given, 'usage', { finish: 'end' }, 'end'];
  const events: StreamEvent[] = [];
  for (const step of steps) events.push(...eventsOf(step, events.filter(({ type }) => type === 'part.start').length));
  return events;
}

/** Streams of other services, by what they show. */
export const SCENARIOS: Readonly<Record<string, readonly StreamEvent[]>> = Object.fromEntries(
  Object.entries<Data>(readData('responses/scenarios.yaml')).map(([name, steps]) => [name, streamOf(steps)]),
);
