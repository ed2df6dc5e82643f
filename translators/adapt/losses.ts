import type { Losses } from '../canonical/loss.js';
import type { Extensions, Node } from '../canonical/node.js';

/** Reports every key that other dialects keep in `node`'s bags: one `dropped` entry per key (translation.md 0.4). */
export function dropForeign(node: Node, dialect: string, losses: Losses): void {
  if (node.ext === undefined) return;
  for (const owner in node.ext) {
    if (owner === dialect) continue;
    for (const key in node.ext[owner]) {
      losses.add(
        `${node.src?.ptr ?? ''}/${escapeKey(key)}`,
        `ext.${key}`,
        'dropped',
        `only the ${owner} dialect has it`,
      );
    }
  }
}

/** Keys of answers that are figures about the answer and change nothing in it (translation.md 0.8). */
const TELEMETRY = new Set([
  'billing',
  'diagnostics',
  'inference_geo',
  'iterations',
  'prompt_cache_diagnostics',
  'service_tier',
  'speed',
  'tool_usage',
]);

/** What of an answer only its own dialect knows. */
export interface AnswerExtras {
  /** The bags of the answer and of its token counts. */
  readonly bags: readonly (Extensions | undefined)[];
  /** Unix seconds, where the target's answers carry no time. */
  readonly createdAt?: number;
}

/**
 * Reports what other dialects keep beside an answer's parts: pure figures in one `telemetry` entry, search suggestions
 * under their own feature because their display is a duty of use, every other key by name (translation.md 0.8, 5.5).
 */
export function dropExtras({ bags, createdAt }: AnswerExtras, dialect: string, losses: Losses): void {
  const figures = new Set<string>();
  if (createdAt !== undefined) figures.add('created_at');
  for (const bag of bags) {
    for (const owner in bag) {
      if (owner === dialect) continue;
      for (const [key, value] of Object.entries(bag[owner] ?? {})) {
        if (key === 'telemetry' && typeof value === 'object') for (const name in value) figures.add(name);
        else if (TELEMETRY.has(key)) figures.add(key);
        else if (key === 'searchEntryPoint') {
          losses.add('', 'searchEntryPoint', 'dropped', 'there is no place to show search suggestions');
        } else losses.add(`/${escapeKey(key)}`, `ext.${key}`, 'dropped', `only the ${owner} dialect has it`);
      }
    }
  }
  if (figures.size > 0) losses.add('', 'telemetry', 'dropped', [...figures].sort().join(', '));
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
