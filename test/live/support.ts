import { get, type IncomingMessage } from 'node:http';
import type { Tree } from '../support/gateway/harness.js';

/** One event as a reader of the standard sees it. */
export interface HeardEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Somebody who follows. */
export interface Following {
  readonly events: HeardEvent[];
  /** The exchanges that were heard. */
  exchanges(): Tree[];
  text(): string;
  readonly response: IncomingMessage;
  readonly over: Promise<void>;
  leave(): void;
}

/** Follows server-sent events over a socket, as the HTML standard reads them (section 9.2.6). */
export function hear(url: string, path: string, headers: Record<string, string> = {}): Promise<Following> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { path, headers: { accept: 'text/event-stream', ...headers }, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      let read = 0;
      let id = '';
      const events: HeardEvent[] = [];
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
        for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
          const fields = text.slice(read, end).split(/\r\n|\r|\n/);
          read = end + 2;
          const of = (name: string): string[] =>
            fields.flatMap((line) =>
              line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
            );
          id = of('id').at(-1) ?? id;
          const data = of('data');
          if (data.length > 0) events.push({ id, event: of('event').at(-1) ?? 'message', data: data.join('\n') });
        }
      });
      const over = new Promise<void>((done) => response.on('close', () => done()));
      response.on('error', () => {});
      resolve({
        events,
        exchanges: () => events.flatMap(({ event, data }) => (event === 'exchange' ? [JSON.parse(data)] : [])),
        text: () => text,
        response,
        over,
        leave: () => outgoing.destroy(),
      });
    });
  });
}
