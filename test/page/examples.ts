import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** An example of the page, as its file has it. */
export interface Example {
  readonly name: string;
  readonly dialect: string;
  readonly kind: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly stream?: readonly string[];
}

export const examples = JSON.parse(
  readFileSync(join(root, 'page/translate/examples.json'), 'utf8'),
) as readonly Example[];

/** What the page makes of an example. */
export const textOf = ({ body, stream }: Example): string =>
  stream === undefined ? JSON.stringify(body, null, 2) : `${stream.join('\n')}\n`;
