import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, objectOf } from '../../src/simulator/rules/index.js';
import { EXCHANGED, type Exchanged } from '../recordings/recordings.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { Place } from './exchange.js';

/** Recordings with more of an answer are of no use: streams that talk on and on. */
const LONGEST = 200_000;

/** What is nobody's business: files of the machine and its addresses. */
function scrubbed(text: string): string {
  return text
    .replace(/\/(?:tmp|work|root|home|var|opt)\/[^"\\\s']*/g, '/PATH')
    .replace(/\b127\.0\.0\.1:\d+/g, 'SERVER');
}

/**
 * Asks a server what is recorded of any server in its dialects, and writes each exchange into a folder as `test/recordings/` has
 * it; what is known of a refusal stays. Gives a sentence for each that is refused otherwise than in the recording of the folder's
 * name, or for the first time.
 */
export async function record(place: Place, dialects: readonly FakeDialectName[], folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const name = folder.split('/').at(-1) ?? '';
  const told: string[] = [];
  const done = new Set<string>();
  for (const recording of [...EXCHANGED].sort((one, other) => rank(one, name) - rank(other, name))) {
    const { dialect, request } = recording;
    const file = recording.name.split('/').at(-1) ?? '';
    if (!dialects.includes(dialect) || done.has(file)) continue;
    done.add(file);
    const response = await responseOf(place, request);
    if (response === undefined) continue;
    const ours = recording.name === `${name}/${file}` ? recording : undefined;
    const refused = response.status !== 200;
    const sentence = sentenceOf(file, response.status, ours);
    if (sentence !== undefined) told.push(sentence);
    const { refuses, ours: fates } = recording;
    const known = refused && refuses !== undefined ? { refuses, ours: fates } : {};
    const exchange = { request: { ...request, body: bodyFor(place, request.body) }, response, ...known };
    writeFileSync(join(folder, `${file}.json`), `${scrubbed(JSON.stringify(exchange, null, 2))}\n`);
  }
  return told;
}

/** Those of the server itself come first: of a case that several have, it is asked what it was asked before. */
const rank = (recording: Exchanged, name: string): number => (recording.name.startsWith(`${name}/`) ? 0 : 1);

function sentenceOf(file: string, status: number, ours: Exchanged | undefined): string | undefined {
  if (ours !== undefined)
    return ours.response.status === status
      ? undefined
      : `${file}: it was answered with ${ours.response.status}, and is with ${status}`;
  return status === 200
    ? undefined
    : `${file}: refused with ${status}, which no recording of it has: write \`refuses\` and \`ours\``;
}

function bodyFor({ model }: Place, body: unknown): unknown {
  const { model: asked } = objectOf(body);
  return typeof asked === 'string' && asked !== 'nope' ? { ...objectOf(body), model } : body;
}

async function responseOf(place: Place, { method, path, body }: Exchanged['request']) {
  const sent = bodyFor(place, body);
  const answer = await fetch(place.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${place.key ?? 'none'}`,
      'anthropic-version': '2023-06-01',
    },
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await answer.text();
  if (text.length > LONGEST) return undefined;
  const kept = ['content-type', 'retry-after'].flatMap((key) => {
    const value = answer.headers.get(key);
    return value === null ? [] : [[key, value] as const];
  });
  const head = { status: answer.status, headers: Object.fromEntries(kept) };
  if (/event-stream/.test(answer.headers.get('content-type') ?? ''))
    return { ...head, events: text.split(/\r?\n\r?\n/).filter((event) => event !== '') };
  return { ...head, body: parsed(text) };
}

function parsed(text: string): JsonObject | string {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
