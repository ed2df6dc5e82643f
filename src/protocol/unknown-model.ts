import { conversing } from '../dialects/index.js';
import { andOthers, didYouMean, Failure } from '../ground/plain/index.js';

/** How many names are compared: anybody with a key may ask for what there is not. */
const MOST_COMPARED = 500;
/** How many names an error lists where none is near. */
const MOST_NAMES = 10;

/** A 404 for a name that leads nowhere: it names the models which are meant, or those there are (http.md#tolerance). */
export function unknownModel(model: string, names: readonly string[], status?: number): Failure {
  const hint = hintFor(model, names);
  const plain = `unknown model ${model}`;
  return new Failure({
    kind: 'not_found',
    message: hint === undefined ? plain : `${plain}; ${hint}`,
    model,
    ...(hint !== undefined && { hint }),
    ...(status !== undefined && { status }),
  });
}

function hintFor(model: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const close = didYouMean(model, names.slice(0, MOST_COMPARED));
  if (close !== undefined) return `did you mean ${close}?`;
  const conversations = conversing(names);
  const shown = (conversations.length > 0 ? conversations : names).slice(0, MOST_NAMES);
  return `known: ${andOthers(shown, names.length)}`;
}
