import { createServer, request } from 'node:http';
import type { FakeDialectName } from '../fake-backend/index.js';
import { listen, shut } from '../sockets.js';
import { type FakeHost, startHost } from './host.js';

/** A fake of a host with several endpoints at one address. */
export interface FakeHostOfMany {
  readonly url: string;
  /** The paths of the calls that came, in order. */
  readonly paths: readonly string[];
  /** Endpoints that it has not, as a server of an older version: 404 without a word of the model. */
  readonly without: Set<FakeDialectName>;
  at(dialect: FakeDialectName): FakeHost;
  /** What any of them turned away, and why. */
  refused(): readonly string[];
  reset(): void;
  close(): Promise<void>;
}

const PLACES: readonly (readonly [RegExp, FakeDialectName])[] = [
  [/\/messages(?:\/count_tokens)?(?:\?|$)/, 'messages'],
  [/\/responses(?:\/|\?|$)/, 'responses'],
  [/\/(?:chat\/completions|models)(?:\/|\?|$)/, 'chatCompletions'],
];

/** Starts a fake of a preset's host with these endpoints, which have no rules but its limits, on a free loopback port. */
export async function startHostOfMany(name: string, dialects: readonly FakeDialectName[]): Promise<FakeHostOfMany> {
  const hosts = new Map(
    await Promise.all(dialects.map(async (dialect) => [dialect, await startHost(name, dialect, true)] as const)),
  );
  const paths: string[] = [];
  const without = new Set<FakeDialectName>();
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    paths.push(url);
    const dialect = PLACES.find(([place]) => place.test(url))?.[1];
    const host = dialect === undefined || without.has(dialect) ? undefined : hosts.get(dialect);
    if (host === undefined) {
      incoming.resume();
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('404 page not found');
      return;
    }
    const forwarded = request(new URL(url, host.root), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  const url = await listen(server);
  return {
    url,
    paths,
    without,
    at(dialect) {
      const host = hosts.get(dialect);
      if (host === undefined) throw new Error(`${name} has no ${dialect}`);
      return host;
    },
    refused: () => [...hosts.values()].flatMap(({ refused }) => refused),
    reset() {
      paths.length = 0;
      without.clear();
      for (const host of hosts.values()) host.reset();
    },
    async close() {
      await shut(server);
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
}
