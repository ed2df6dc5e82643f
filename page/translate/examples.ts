import { signal } from '@preact/signals';
import type { Kind } from './kinds.js';
import type { DialectId } from './library.js';

/** An example, as its file has it. */
export interface Example {
  readonly name: string;
  readonly dialect: DialectId;
  readonly kind: Kind;
  readonly status?: number;
  readonly body?: unknown;
  readonly stream?: readonly string[];
}

/** The examples, when they are loaded. */
export const examples = signal<readonly Example[]>([]);

/** Which of them stands in the source; undefined = none. */
export const example = signal<number | undefined>(undefined);

export async function loadExamples(): Promise<readonly Example[]> {
  if (examples.value.length === 0) {
    const { default: list } = await import('./examples.json', { with: { type: 'json' } });
    examples.value = list as readonly Example[];
  }
  return examples.value;
}

export const textOfExample = ({ body, stream }: Example): string =>
  stream === undefined ? JSON.stringify(body, null, 2) : `${stream.join('\n')}\n`;
