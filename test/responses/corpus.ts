import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../translators/canonical/node.js';

const ROOT = join(import.meta.dirname, '../../../shared/corpus/openai-responses');

/** One recorded exchange. */
export interface Recording {
  readonly name: string;
  readonly meta: { readonly operation: string; readonly status: number; readonly features?: readonly string[] };
  readonly request?: JsonObject;
  readonly response?: JsonObject;
  readonly stream?: string;
}

/** The recorded exchanges of this dialect; none where the corpus is not there. */
export function readCorpus(): readonly Recording[] {
  if (!existsSync(ROOT)) return [];
  return readdirSync(ROOT).map((name) => ({
    name,
    meta: JSON.parse(readFileSync(join(ROOT, name, 'meta.json'), 'utf8')),
    request: readJson(join(ROOT, name, 'request.json')),
    response: readJson(join(ROOT, name, 'response.json')),
    stream: existsSync(join(ROOT, name, 'stream.sse'))
      ? readFileSync(join(ROOT, name, 'stream.sse'), 'utf8')
      : undefined,
  }));
}

function readJson(path: string): JsonObject | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
