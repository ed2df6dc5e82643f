import { mayUse } from '../access.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure } from '../http/failure.js';
import { nearest } from '../nearest.js';

/** How many names are compared: anybody with a key may ask for what there is not. */
const MOST_COMPARED = 500;
/** How many names are told where none is near. */
const MOST_NAMES = 10;

/** A 404 for a name that leads nowhere: it names the models which are meant, or those there are (contract.md 4). */
export function unknownModel({ catalog }: Gateway, { key }: ClientCall, model: string, status?: number): Failure {
  const names = [...catalog.known()].filter((name) => mayUse(key, name)).slice(0, MOST_COMPARED);
  const hint = hintFor(model, names);
  const plain = `there is no model ${model}`;
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
  const close = nearest(model, names);
  if (close !== undefined) return `the nearest is ${close}`;
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ' and others' : ''}`;
}
