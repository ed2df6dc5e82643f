import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  createLosses,
  type DialectId,
  decodeRequest,
  decodeResponse,
  dialectIds,
  dialects,
  encodeRequest,
  encodeResponse,
  type StreamEvent,
} from '../translators/index.js';
import { tableOf } from './support/dialects/index.js';
import { requestFaults } from './support/legal.js';

/*
 * Bodies that were written by hand, each beside the frozen canonical form that it decodes to: a change of decoding is
 * seen as a change of the model before any encoder speaks. `UPDATE=1` writes the forms anew; the diff is then read.
 */

const ROOT = join(import.meta.dirname, 'golden');
const FOLDERS = tableOf('folder');
const UPDATE = process.env.UPDATE === '1';
const DOMAIN = 'golden';

/** The models that bodies of generateContent are meant for stand in no body. */
const MODEL = 'gemini-3-pro';

interface Golden {
  readonly name: string;
  readonly source: string;
  /** Where the canonical form stands. */
  readonly form: string;
}

function golden(dialect: DialectId, kind: 'requests' | 'answers' | 'streams'): Golden[] {
  const folder = join(ROOT, FOLDERS[dialect], kind);
  return readdirSync(folder)
    .filter((file) => !file.endsWith('.canonical.json'))
    .map((file) => {
      const name = file.replace(/\.\w+$/, '');
      return { name, source: readFileSync(join(folder, file), 'utf8'), form: join(folder, `${name}.canonical.json`) };
    });
}

function compare({ form }: Golden, value: unknown): void {
  if (UPDATE) {
    writeFileSync(form, `${JSON.stringify(value, null, 2)}\n`);
    return;
  }
  // What is absent in the model and what is undefined are the same.
  expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(readFileSync(form, 'utf8')));
}

// The linter looks at these files too.
afterAll(() => {
  const biome = join(import.meta.dirname, '..', 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  if (UPDATE) execFileSync(process.execPath, [biome, 'format', '--write', ROOT]);
});

describe.each(dialectIds.filter((id) => existsSync(join(ROOT, FOLDERS[id]))))('%s', (dialect) => {
  const requests = golden(dialect, 'requests');
  const answers = golden(dialect, 'answers');
  const streams = golden(dialect, 'streams');

  test.each(requests)('request $name', (given) => {
    const body = JSON.parse(given.source);
    const model = dialect === 'generateContent' ? MODEL : undefined;
    expect(requestFaults(dialect, body, model ?? body.model)).toEqual([]);
    const { value, losses } = decodeRequest(dialect, body, { model });
    expect(losses).toEqual([]);
    expect(encodeRequest(dialect, value).value).toEqual(body);
    compare(given, value);
  });

  test.each(answers)('answer $name', (given) => {
    const body = JSON.parse(given.source);
    const { value, losses } = decodeResponse(dialect, body, { domain: DOMAIN });
    expect(losses).toEqual([]);
    expect(encodeResponse(dialect, value).value).toEqual(body);
    compare(given, value);
  });

  test.each(streams)('stream $name', (given) => {
    const events: StreamEvent[] = [];
    const decoder = dialects[dialect].createStreamDecoder({ losses: createLosses(), domain: DOMAIN }, (event) =>
      events.push(event),
    );
    decoder.push(given.source);
    decoder.end();
    compare(given, events);
  });

  test('every canonical form has its source', () => {
    for (const kind of ['requests', 'answers', 'streams'] as const) {
      const folder = join(ROOT, FOLDERS[dialect], kind);
      const forms = readdirSync(folder).filter((file) => file.endsWith('.canonical.json'));
      expect(forms).toHaveLength(golden(dialect, kind).length);
      for (const { form } of golden(dialect, kind)) expect(existsSync(form)).toBe(true);
    }
  });
});
