import { headersFor, type Place } from './place.js';
import type { Copied } from './sdk.js';
import { pythonOf } from './values.js';

/** The key of a place, as Python. */
export const keyOf = ({ variable }: Place): string => (variable === undefined ? '"none"' : `os.environ["${variable}"]`);

/** The header that has the key where the SDK would send it in another one. */
export const keyHeader = (place: Place): readonly string[] =>
  place.keyForm === 'api-key' ? [`default_headers={"api-key": ${keyOf(place)}}`] : [];

/** A call with named arguments, each on a line. */
export function called(method: string, named: readonly (readonly [name: string, value: unknown])[]): string {
  return `${method}(\n${named.map(([name, value]) => `    ${name}=${pythonOf(value, 1)},\n`).join('')})`;
}

/** A call whose arguments are the members of the body. What is none of those that the method has would be an error, and goes with `extra_body`. */
export function bodyCall(
  method: string,
  own: ReadonlySet<string>,
  { body, dialect, betas }: Copied,
  more: object = {},
): string {
  const members = Object.entries(body);
  const headers = headersFor(dialect, betas);
  const rest = Object.fromEntries(members.filter(([name]) => !own.has(name)));
  return called(method, [
    ...members.filter(([name]) => own.has(name)),
    ...Object.entries({
      ...(Object.keys(rest).length > 0 && { extra_body: rest }),
      ...(Object.keys(headers).length > 0 && { extra_headers: headers }),
      ...more,
    }),
  ]);
}
