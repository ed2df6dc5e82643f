import { didYouMean, isObject } from '../ground/plain/index.js';
import type { Fault } from '../web/index.js';

/** The names of options, each of which there is. */
export type Known<Options> = Readonly<Record<Exclude<keyof Options, never>, true>>;

/** The error for an option that cannot be meant. */
export const fault: Fault = (option, reason) => new TypeError(`createHandler: ${option}: ${reason}`);

/** The same for a place of the options. */
export const faultAt =
  (place: string): Fault =>
  (option, reason) =>
    fault(`${place}.${option}`, reason);

/** Throws for an option that there is not, and where there are none. */
export function checkNames(options: unknown, known: readonly string[], at: Fault): void {
  if (!isObject(options)) throw new TypeError('createHandler: an object with the options is needed');
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const close = didYouMean(name, known);
    throw at(name, `unknown option${close === undefined ? '' : `; did you mean \`${close}\`?`}`);
  }
}
