import { type MadeImage, toStandardBase64 } from '../../translators/index.js';
import { Failure, isObject } from '../ground/index.js';
import type { Wanted } from './finish.js';

/** One entry of an answer: its picture, and its other fields. */
export interface Item {
  readonly image: MadeImage;
  readonly others: Readonly<Record<string, unknown>>;
  /** The field whose value is not what clients expect there. */
  readonly odd?: Wanted;
}

/** The field that holds a picture, by how it is wanted. */
export const FIELDS = { url: 'url', b64_json: 'base64' } as const satisfies Record<Wanted, keyof MadeImage>;

/** The pictures of an answer. A success without any is none (media.md 9.16). */
export function itemsOf({ data }: Record<string, unknown>): Item[] {
  if (!Array.isArray(data) || data.length === 0) throw noPicture();
  return data.map((item: unknown) => {
    const { url, b64_json: base64, ...others } = isObject(item) ? item : {};
    const link = typeof url === 'string' && url !== '' ? url : undefined;
    const inline = link === undefined ? undefined : inlined(link);
    if (typeof base64 === 'string' && base64 !== '') {
      const bare = toStandardBase64(inlined(base64) ?? base64);
      const odd = bare === base64 && inline === undefined ? undefined : 'b64_json';
      return { image: { base64: bare, ...(inline === undefined && { url: link }) }, others, odd };
    }
    if (link === undefined) throw noPicture();
    return inline === undefined ? { image: { url: link }, others } : { image: { base64: inline }, others, odd: 'url' };
  });
}

/** What a data URL holds: as a link it leads nowhere, and as base64 it is none (media.md 6.4, 9.19). */
function inlined(url: string): string | undefined {
  const mark = ';base64,';
  const at = url.startsWith('data:') ? url.slice(0, 200).indexOf(mark) : -1;
  return at === -1 ? undefined : toStandardBase64(url.slice(at + mark.length));
}

function noPicture(): Failure {
  return new Failure({ kind: 'upstream', message: 'the backend sent no image', retry: false });
}
