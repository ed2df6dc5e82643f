import type { Losses } from '../canonical/loss.js';
import type { ImageRequest } from './image.js';

/** What a variation is for models that want a prompt. */
const VARIATION = 'Create a variation of this picture: same subject and style, different details.';

/** Marks the picture that is a mask for models that know none (media.md 5.2). */
const MASK = 'The last picture is a mask for the first one: change only what its transparent areas mark.';

/** The words for a model that is told everything in a prompt. */
export function promptOf(request: ImageRequest, losses: Losses): string {
  if (request.operation !== 'vary') return request.prompt ?? '';
  losses.add('/image', 'image.prompt', 'invented', 'a variation is asked for in words');
  return VARIATION;
}

/** The sentence that goes with a mask sent as one more picture; undefined without a mask. */
export function maskSentence(request: ImageRequest, losses: Losses): string | undefined {
  if (request.mask === undefined) return undefined;
  losses.add('/mask', 'image.mask', 'approximated', 'the mask is sent as one more picture with a sentence');
  return MASK;
}
