import { createStreamTranslator, type DialectId, dialectIds, translateRequest } from '../../translators/index.js';
import { agentConversation } from '../support/agent-conversation.js';
import { answerEvents, answerStream } from '../support/answer-streams.js';
import { tableOf } from '../support/dialects/index.js';
import { compare, type Figure, table } from './measure.js';

const MODELS = tableOf('model');

function pairs(): (readonly [DialectId, DialectId])[] {
  return dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));
}

/** A 100 kB agent conversation, object to object with validation, against parsing and printing the same body. */
function requests(): Figure[] {
  return pairs().map(([from, to]) => {
    const body = agentConversation(from, 60);
    const text = JSON.stringify(body);
    return compare(
      `${from} to ${to} (${Math.round(text.length / 1000)} kB)`,
      () => {
        translateRequest({ from, to, body, model: MODELS[to], stream: true });
      },
      () => {
        JSON.stringify(JSON.parse(text));
      },
    );
  });
}

/** One stream event, bytes in to bytes out, against cutting, parsing, printing and framing the same events. */
function streams(): Figure[] {
  const deltas = 500;
  return pairs().map(([from, to]) => {
    const encoder = new TextEncoder();
    const chunks = answerEvents(from, deltas).map(([name, data]) => encoder.encode(frame(name, JSON.stringify(data))));
    const whole = answerStream(from, deltas);
    const decoder = new TextDecoder();
    return compare(
      `${from} to ${to}`,
      () => {
        const translator = createStreamTranslator({ from, to });
        let out = 0;
        for (const chunk of chunks) out += encoder.encode(translator.push(chunk)).length;
        out += encoder.encode(translator.end()).length;
        if (out < whole.length / 20) throw new Error('nothing came out');
      },
      () => {
        for (const chunk of chunks) {
          const text = decoder.decode(chunk, { stream: true });
          const data = text.slice(text.indexOf('data: ') + 6).trimEnd();
          encoder.encode(frame('message', JSON.stringify(JSON.parse(data))));
        }
      },
      chunks.length,
    );
  });
}

function frame(name: string, data: string): string {
  return name === '' ? `data: ${data}\r\n\r\n` : `event: ${name}\ndata: ${data}\n\n`;
}

/** Prints both tables. */
export function benchTranslation(): void {
  console.log(table('request', 'ms', requests()));
  console.log();
  console.log(table('stream event', 'ms', streams()));
}
