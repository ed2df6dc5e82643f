import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { jest } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { dialectAt } from '../support/dialect-at.js';
import {
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  type Seen,
  send,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

/** One line of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format; throws for a line that is none. */
function parseMetrics(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line) ?? [];
      if (value === undefined) throw new Error(`no sample: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** What a gateway counts, of its own and of its process. */
export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Sample[]> {
  const { status, text } = await send(url, '/metrics', { headers });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return parseMetrics(text);
}

/** The sum of all samples with a name and these labels. */
export function sum(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((total, { value }) => total + value, 0);
}

/** Answers a call with an answer of the dialect whose route it is, in one piece or as a stream. */
export function replyInKind(response: ServerResponse, { path, body }: Seen): void {
  const dialect = dialectAt(path);
  const streams = path.includes('stream') || /"stream":\s*true/.test(body);
  const headers = { 'request-id': `up-${dialect}` };
  if (!streams) {
    json(response, 200, WHOLE[dialect]('Hello there'), headers);
    return;
  }
  response.writeHead(200, { ...EVENT_STREAM, ...headers });
  response.end(FRAMES[dialect]('Hello there').join(''));
}

/** A model `to-DIALECT` behind a backend of each dialect. */
export function pairsConfig({ url }: Recorder): ConfigInput {
  return {
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: url, retries: 0 }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [`to-${dialect}`, { backend: dialect }])),
    limits: { drainSeconds: 1 },
  };
}

/** Takes what would be logged, from now until the mocks are restored. */
export function captureLog(): { readonly text: string; lines(): Tree[]; clear(): void } {
  let text = '';
  jest.spyOn(fs, 'writeSync').mockImplementation((_fd, piece) => {
    text += String(piece);
    return Buffer.byteLength(String(piece));
  });
  return {
    get text() {
      return text;
    },
    lines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    clear() {
      text = '';
    },
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
