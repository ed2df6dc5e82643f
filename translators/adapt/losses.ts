import type { Losses } from '../canonical/loss.js';
import type { Node } from '../canonical/node.js';

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

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
