import type { DialectId } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';

/** The path of a service for a path that a client called, which has no runs of slashes; undefined where the service has none that may be called. */
export function servicePath(dialect: DialectId, path: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  if (!isPlain(plain)) return undefined;
  const [, moved = '', version = '', rest = ''] =
    /^(\/(?:upload|download))?(?:\/(v1|v1beta|v1beta1|v1alpha))?\/(.+)$/.exec(plain) ?? [];
  const { names, placed = [], versions, moves } = gatewayDialect(dialect).families;
  if (moved !== '' && !moves) return undefined;
  if (![...names, ...placed].some((family) => rest === family || rest.startsWith(`${family}/`))) return undefined;
  const place = versions.includes(version) ? version : versions[0];
  return `${moved}${place === '' ? '' : `/${place}`}/${rest}`;
}

/** Whether each segment is one for every reader of the path: none leads up, or holds what ends a segment. */
function isPlain(path: string): boolean {
  return path.split('/').every((segment) => {
    try {
      const text = decodeURIComponent(segment);
      return /^[\x21-\x7e]*$/.test(segment) && !/^\.{1,2}$/.test(text) && !/[/\\?#%\p{Cc}]/u.test(text);
    } catch {
      return false;
    }
  });
}
