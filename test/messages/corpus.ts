import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../shared/corpus/anthropic-messages');

/** One recorded exchange. */
export interface Case {
  readonly name: string;
  readonly operation: string;
  readonly status: number;
  readonly request?: unknown;
  readonly response?: unknown;
  readonly stream?: string;
}

/** Whether the recordings are there; tests over them are skipped when not. */
export const hasCorpus = existsSync(ROOT);

/** Every recorded exchange of this dialect. */
export function readCorpus(): Case[] {
  if (!hasCorpus) return [];
  return readdirSync(ROOT).map((name) => {
    const read = (file: string): string | undefined => {
      const path = join(ROOT, name, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    };
    const parse = (file: string): unknown => {
      const text = read(file);
      return text === undefined ? undefined : JSON.parse(text);
    };
    const meta = JSON.parse(read('meta.json') ?? '{}');
    return {
      name,
      operation: meta.operation,
      status: meta.status,
      request: parse('request.json'),
      response: parse('response.json'),
      stream: read('stream.sse'),
    };
  });
}
