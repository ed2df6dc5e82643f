import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createFold } from '../../../translators/canonical/fold.js';
import { createLosses, type DialectId, dialectIds, dialects, type JsonObject } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { recordedExchanges } from '../../support/corpus.js';
import { tableOf } from '../../support/dialects/index.js';

/*
 * Some servers answer whole although a stream was asked for. The stream that is made of such an answer says the same: read as
 * a stream it is the answer that it was made of.
 */

const FOLDERS = tableOf('folder');

interface Given {
  readonly name: string;
  readonly body: JsonObject;
}

function written(dialect: DialectId): Given[] {
  const folder = join(import.meta.dirname, '..', '..', 'golden', FOLDERS[dialect], 'answers');
  return readdirSync(folder)
    .filter((file) => !file.endsWith('.canonical.json'))
    .map((name) => ({ name, body: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

function recorded(dialect: DialectId): Given[] {
  return recordedExchanges(dialect).flatMap(({ name, status, response }) =>
    status === 200 && isObject(response) && isAnswer(dialect, response)
      ? [{ name, body: JSON.parse(JSON.stringify(response)) }]
      : [],
  );
}

/** Whether a body is an answer that ended. */
function isAnswer(dialect: DialectId, body: JsonObject): boolean {
  try {
    return decode(dialect, body).finish.kind !== 'failed';
  } catch {
    return false;
  }
}

const context = () => ({ losses: createLosses(), domain: 'test' });

function decode(dialect: DialectId, body: JsonObject) {
  return dialects[dialect].decodeResponse(body, context());
}

/** What a reader of the dialect has of the stream. */
function read(dialect: DialectId, body: JsonObject) {
  const fold = createFold(dialect);
  const decoder = dialects[dialect].createStreamDecoder(context(), fold.sink);
  decoder.push(dialects[dialect].wholeAsStream(body));
  decoder.end();
  if (fold.response === undefined) throw new Error(JSON.stringify(fold.error));
  return fold.response;
}

/** All that is said, without the places in the body; arguments are values. */
function told({ parts, finish, usage, id, model }: ReturnType<typeof read>): unknown {
  const plain = JSON.stringify({ parts, finish, usage, id, model }, (key, value: unknown) => {
    if (key === 'src' || key === 'ext') return undefined;
    return key === 'args' && isObject(value) ? (value.value ?? JSON.parse(String(value.text))) : value;
  });
  return JSON.parse(plain);
}

/** Streams of generateContent are made of whole answers. */
const PIECEWISE = dialectIds.filter((id) => id !== 'generateContent');

describe.each(PIECEWISE)('%s', (dialect) => {
  test.each([...written(dialect), ...recorded(dialect)])('$name', ({ body }) => {
    expect(told(read(dialect, body))).toEqual(told(decode(dialect, body)));
  });
});

test.each(written('generateContent'))('generateContent: $name is one chunk', ({ body }) => {
  const [chunk = '', rest] = dialects.generateContent.wholeAsStream(body).split('\r\n\r\n');
  expect([JSON.parse(chunk.replace(/^data: /, '')), rest]).toEqual([body, '']);
});
