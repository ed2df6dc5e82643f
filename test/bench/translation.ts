import { type DialectId, dialectIds } from '../../translators/index.js';
import { agentConversation } from '../support/agent-conversation.js';
import { answerStream } from '../support/answers.js';
import { tableOf } from '../support/dialects/index.js';
import { createStreamTranslator, translateRequest } from './built.js';
import { compare, type Effort, median, type Row } from './measure.js';
import type { TargetName } from './targets.js';

const MODELS = tableOf('model');

/** So many rounds of a tool make about 117 kB of an agent conversation. */
const STEPS = 75;

const DELTAS = 500;

function pairs(): (readonly [DialectId, DialectId])[] {
  return dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));
}

/** An agent conversation, object to object with validation, against parsing and printing the same body. */
function request(from: DialectId, to: DialectId, effort: Effort): Row {
  const body = agentConversation(from, STEPS);
  const text = JSON.stringify(body);
  return compare(
    { target: 'request', detail: `${from} to ${to}` },
    {
      work: () => {
        translateRequest({ from, to, body, model: MODELS[to], stream: true });
      },
      floor: () => {
        JSON.stringify(JSON.parse(text));
      },
    },
    effort,
  );
}

/** One stream event, bytes in to bytes out, against cutting, parsing, printing and framing the same events. */
function event(from: DialectId, to: DialectId, effort: Effort): Row {
  const encoder = new TextEncoder();
  const chunks = answerStream(from, DELTAS).map((event) => encoder.encode(event));
  const whole = answerStream(from, DELTAS).join('');
  const decoder = new TextDecoder();
  return compare(
    { target: 'event', detail: `${from} to ${to}` },
    {
      work: () => {
        const translator = createStreamTranslator({ from, to });
        let out = 0;
        for (const chunk of chunks) out += encoder.encode(translator.push(chunk)).length;
        out += encoder.encode(translator.end()).length;
        if (out < whole.length / 20) throw new Error('nothing came out');
      },
      floor: () => {
        for (const chunk of chunks) {
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

/** What the library costs, by pair and as the median over all pairs. */
export function benchTranslation(effort: Effort): readonly Row[] {
  const requests = pairs().map(([from, to]) => request(from, to, effort));
  const events = pairs().map(([from, to]) => event(from, to, effort));
  return [...requests, overPairs('request', requests), ...events, overPairs('event', events)];
}

function overPairs(target: TargetName, rows: readonly Row[]): Row {
  return { target, detail: 'median over the pairs', figures: rows.map(({ figures }) => median(figures)) };
}
