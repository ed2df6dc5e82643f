import { TranslationError } from '../canonical/errors.js';
import type { CanonicalRequest, StateSettings } from '../canonical/request.js';

/**
 * Refuses what only the source's own service, or a host that resolved it before, can grant: stored answers and
 * conversations, prompt templates, background runs, cut answers (translation.md 0.10, 2.2). Throws TranslationError; an
 * earlier answer that nobody knows is refused as the service itself would, with `previous_response_not_found`.
 */
export function refuseStoredState(request: CanonicalRequest): void {
  const { nativeOnly, state, source: dialect, at } = request;
  const [first] = nativeOnly ?? [];
  if (first !== undefined) {
    throw new TranslationError('unsupported', first.message, { path: first.path, dialect, code: first.code });
  }
  if (state === undefined) return;
  if (state.previousId !== undefined) {
    throw new TranslationError('invalid_request', `previous response with id '${state.previousId}' not found`, {
      path: at?.['state.previousId'] ?? '',
      dialect,
      code: 'previous_response_not_found',
    });
  }
  for (const [field, message] of REFUSED) {
    const feature = `state.${field}`;
    if (state[field] !== undefined && state[field] !== false) {
      throw new TranslationError('unsupported', message, { path: at?.[feature] ?? '', dialect });
    }
  }
}

/** What no other service grants, with the reason. */
const REFUSED = [
  ['conversation', 'stored conversations are not known here'],
  ['background', 'the backend does not answer in the background'],
  ['template', 'a prompt template that another service holds cannot be resolved'],
  ['continuation', 'an interrupted answer can be continued only by the service that produced it'],
] as const satisfies readonly (readonly [keyof StateSettings, string])[];
