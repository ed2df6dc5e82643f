/** Longest text of a value that is shown, in characters. */
const SHOWN = 200;

/** What stands at a JSON Pointer in a body, as JSON that is cut; undefined where there is nothing. */
export function valueAt(body: unknown, path: string): string | undefined {
  let value: unknown = body;
  for (const step of path.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  const text = JSON.stringify(value);
  if (text === undefined || path === '') return undefined;
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
