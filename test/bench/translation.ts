import { type DialectId, dialectIds } from '../../translators/index.js';
import { agentConversation } from '../support/agent-conversation.js';
import { answerStream } from '../support/answers.js';
import { tableOf } from '../support/dialects/index.js';
import * as built from './built.js';
import { freshBytes, MARK } from './fresh.js';
import { compare, type Effort, median, type Row } from './measure.js';
import type { TargetName } from './targets.js';

const MODELS = tableOf('model');

/** So many rounds of a tool make about 117 kB of an agent conversation. */
const STEPS = 75;

const DELTAS = 500;

/** The functions that are measured. */
export type Library = Pick<typeof built, 'createStreamTranslator' | 'parseJsonBytes' | 'translateRequest'>;

type Pair = readonly [DialectId, DialectId];

const PAIRS: readonly Pair[] = dialectIds.flatMap((from) =>
  dialectIds.filter((to) => to !== from).map((to): Pair => [from, to]),
);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How much of a body no call has seen: the last turn, as where an agent goes on, or every text of it. */
type Novelty = 'warm' | 'cold';

const NEW: Readonly<Record<Novelty, (text: string) => string>> = {
  warm: (text) => text.replace('Go on until', `${MARK}: go on until`),
  cold: (text) =>
    text.replaceAll('The build runs', `${MARK}: the build runs`).replaceAll('look at', `${MARK}: look at`),
};

/** Bodies of an agent conversation. */
function bodiesOf(from: DialectId, novelty: Novelty): () => Uint8Array {
  return freshBytes(NEW[novelty](JSON.stringify(agentConversation(from, STEPS))));
}

/** A request from bytes to bytes, as a server has it. */
function translate([from, to]: Pair, bytes: Uint8Array, { parseJsonBytes, translateRequest }: Library): void {
  const body: unknown = parseJsonBytes(bytes);
  encoder.encode(JSON.stringify(translateRequest({ from, to, body, model: MODELS[to], stream: true }).body));
}

function parseAndPrint(bytes: Uint8Array): void {
  encoder.encode(JSON.stringify(JSON.parse(decoder.decode(bytes))));
}

/** An agent conversation with validation, against parsing and printing bodies of its size. */
function request(pair: Pair, novelty: Novelty, library: Library, effort: Effort): Row {
  return compare(
    { target: novelty === 'warm' ? 'request' : 'requestCold', detail: pair.join(' to ') },
    { fresh: bodiesOf(pair[0], novelty), work: (bytes) => translate(pair, bytes, library), floor: parseAndPrint },
    effort,
  );
}

/** All pairs in turns, so that what the compiler learnt of one has to serve the others. */
function mixed(library: Library, effort: Effort): Row {
  const bodies = PAIRS.map((pair) => ({ pair, fresh: bodiesOf(pair[0], 'warm') }));
  return compare(
    { target: 'requestMixed' },
    {
      fresh: () => bodies.map(({ pair, fresh }) => ({ pair, bytes: fresh() })),
      work: (all) => {
        for (const { pair, bytes } of all) translate(pair, bytes, library);
      },
      floor: (all) => {
        for (const { bytes } of all) parseAndPrint(bytes);
      },
      units: PAIRS.length,
    },
    effort,
  );
}

/** One stream event, bytes in to bytes out, against cutting, parsing, printing and framing the same events. */
function event([from, to]: Pair, { createStreamTranslator }: Library, effort: Effort): Row {
  const chunks = answerStream(from, DELTAS).map((event) => encoder.encode(event));
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return compare(
    { target: 'event', detail: `${from} to ${to}` },
    {
      fresh: () => chunks.map((chunk) => chunk.slice()),
      work: (events) => {
        const translator = createStreamTranslator({ from, to });
        let out = 0;
        for (const chunk of events) out += encoder.encode(translator.push(chunk)).length;
        out += encoder.encode(translator.end()).length;
        if (out < size / 20) throw new Error('nothing came out');
      },
      floor: (events) => {
        for (const chunk of events) {
          const text = decoder.decode(chunk, { stream: true });
          const data = text.slice(text.indexOf('data: ') + 6).trimEnd();
          encoder.encode(frame('message', JSON.stringify(JSON.parse(data))));
        }
      },
      units: chunks.length,
    },
    effort,
  );
}

function frame(name: string, data: string): string {
  return name === '' ? `data: ${data}\r\n\r\n` : `event: ${name}\ndata: ${data}\n\n`;
}

/** What the library costs, by pair and as the median over all pairs. The short form leaves out what differs from another row only in its bodies. */
export function benchTranslation(effort: Effort, library: Library = built): readonly Row[] {
  const rows = (['warm', 'cold'] as const)
    .filter((novelty) => novelty === 'warm' || !effort.short)
    .flatMap((novelty) => {
      const requests = PAIRS.map((pair) => request(pair, novelty, library, effort));
      return [...requests, overPairs(requests)];
    });
  const events = PAIRS.map((pair) => event(pair, library, effort));
  return [...rows, mixed(library, effort), ...events, overPairs(events)];
}

function overPairs(rows: readonly Row[]): Row {
  const target: TargetName = rows[0]?.target ?? 'request';
  return { target, detail: 'median over the pairs', figures: rows.map(({ figures }) => median(figures)) };
}
