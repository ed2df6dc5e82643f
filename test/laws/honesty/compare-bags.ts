import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { DialectId } from '../../../translators/index.js';
import { type Diff, diffAt } from './diff.js';
import { isUnder } from './json.js';

interface Bagged {
  readonly ext?: CanonicalRequest['ext'];
  readonly src?: CanonicalRequest['src'];
}

/** Keys that only one dialect knows: none of another dialect comes through, and none of the target's own appears. */
export function compareBags(x: CanonicalRequest, y: CanonicalRequest, target: DialectId): Diff[] {
  const diffs: Diff[] = [];
  for (const { ext = {}, src } of nodesOf(x)) {
    for (const [key, value] of Object.keys(ext).flatMap((owner) => Object.entries(ext[owner] ?? {}))) {
      // The default says nothing, and nor do null and an empty list (translation.md 0.8).
      if (key === 'defer_loading' && value === false) continue;
      if (value === null || (Array.isArray(value) && value.length === 0)) continue;
      const path = src?.at?.[`ext.${key}`] ?? `${src?.ptr ?? ''}/${escaped(key)}`;
      diffs.push(bagDiff(key, path, value));
    }
  }
  for (const { ext = {}, src } of nodesOf(y)) {
    const keys = Object.keys(ext[target] ?? {}).filter((key) => !OWN.has(key));
    if (keys.length > 0) diffs.push(diffAt(`keys ${keys.join(' ')} appeared at ${src?.ptr}`, [''], []));
  }
  return diffs;
}

/** A key of a bag is named, or what holds it is, or each key of an object of which the model holds the others. */
function bagDiff(key: string, path: string, value: unknown): Diff {
  const inner = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return {
    what: `key ${key} of a bag at ${path}`,
    covers(loss) {
      if (loss.feature === `ext.${key}` && isSame(loss.path, path)) return true;
      if (loss.feature.startsWith('ext.')) {
        return inner.some((one) => loss.feature === `ext.${one}` && isSame(loss.path, `${path}/${escaped(one)}`));
      }
      return loss.kind !== 'invented' && isUnder(path, loss.path) && loss.path !== '';
    },
  };
}

/** One dialect spells its names in two ways, and entries name what is in the body. */
function isSame(path: string, other: string): boolean {
  return path === other || camelCase(path) === camelCase(other);
}

function camelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Keys of the target that stand for settings compared elsewhere. */
const OWN: ReadonlySet<string> = new Set(['toolConfig']);

function nodesOf(request: CanonicalRequest): Bagged[] {
  const nodes: Bagged[] = [request, ...request.tools, ...request.instructions, ...request.turns];
  for (const node of [request.toolChoice, request.output, request.reasoning]) if (node !== undefined) nodes.push(node);
  const visit = (part: Bagged & { readonly parts?: readonly Bagged[] }): void => {
    nodes.push(part);
    if (part.parts !== undefined) for (const child of part.parts) visit(child);
  };
  for (const { parts } of [...request.instructions, ...request.turns]) for (const part of parts) visit(part);
  return nodes;
}
