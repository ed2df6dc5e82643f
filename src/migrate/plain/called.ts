import { type DialectId, dialectIds, dialects } from '../../../translators/index.js';

/** What a URL shows of a call. */
export interface Called {
  readonly from: DialectId;
  /** The model and the choice of a stream, where the dialect has them in the URL. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** Which dialect a URL calls, by the endpoints of all; undefined for other traffic. */
export function calledBy(url: string): Called | undefined {
  const [path = ''] = url.split(/[?#]/);
  for (const { from, pattern, stream } of ENDPOINTS) {
    const [match, model] = pattern.exec(path) ?? [];
    if (match === undefined) continue;
    return model === undefined ? { from } : { from, model: decoded(model), stream };
  }
  return undefined;
}

const MODEL = 'MODEL';

const ENDPOINTS = dialectIds.flatMap((from) =>
  [false, true].map((stream) => {
    const [path = ''] = dialects[from].endpoint('create', { model: MODEL, stream }).split('?');
    // Whatever stands in front of it: hosts have roots and versions of their own.
    const own = path.replace(/^\/v\d\w*/, '').replace(MODEL, '([^/:]+)');
    return { from, stream, pattern: new RegExp(`${own}/?$`) };
  }),
);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
