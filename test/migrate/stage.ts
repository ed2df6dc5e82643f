import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { migrate, type ReadOptions, type Report, type Source, streamSource } from '../../src/migrate/index.js';
import type { DialectId } from '../../translators/index.js';

const validate = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(new URL('../../src/migrate/report.schema.json', import.meta.url), 'utf8')),
);

/** A file in memory that comes in pieces of so many bytes. */
export function source(content: string | Uint8Array, name = 'traffic.jsonl', piece = 1000): Source {
  const bytes = Buffer.from(content);
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  return streamSource(name, bytes.length, () => Readable.from(pieces()));
}

export function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');
}

/** The only report of a reading, which is a valid one. */
export async function read(
  content: string | Uint8Array | readonly Source[],
  {
    from = 'messages',
    to = 'responses',
    ...more
  }: { from?: DialectId; to?: DialectId } & Pick<ReadOptions, 'showValues' | 'targetOf'> = {},
): Promise<Report> {
  const sources = typeof content === 'string' || content instanceof Uint8Array ? [source(content)] : content;
  const [report, ...others] = await migrate({ sources, from, to, ...more });
  if (report === undefined) throw new Error('no report');
  expect(others).toEqual([]);
  expect([validate(JSON.parse(JSON.stringify(report))), validate.errors]).toEqual([true, null]);
  expect(report.exchanges).toBe(report.clean + report.lossy + report.refused);
  return report;
}
