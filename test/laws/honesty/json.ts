/** JSON text with sorted keys and without undefined members: equal values have equal texts. */
export function stable(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, child]) => `${JSON.stringify(key)}:${stable(child)}`).join(',')}}`;
}

/** Whether one of two JSON Pointers stands at, under or above the other. The root is above nothing but itself. */
export function names(path: string, ptr: string): boolean {
  if (path === ptr) return true;
  if (path === '' || ptr === '') return false;
  return path.startsWith(`${ptr}/`) || ptr.startsWith(`${path}/`);
}

/** Whether `ptr` stands at or under `path`. */
export function isUnder(ptr: string, path: string): boolean {
  return ptr === path || ptr.startsWith(`${path}/`);
}

/** Whether a JSON Pointer names something in `root`. */
export function exists(root: unknown, ptr: string): boolean {
  let node: unknown = root;
  for (const step of ptr.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null) return false;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Reflect.get(node, key) === undefined) return false;
    node = Reflect.get(node, key);
  }
  return true;
}
