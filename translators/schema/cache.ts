/**
 * Remembers the result for each object given, as long as the caller keeps the object. Results must not be changed.
 * What is not `worth` it is computed anew: for small inputs that costs less than collecting the entry later.
 */
export function cached<Key extends object, Result>(
  compute: (key: Key) => Result,
  worth: (key: Key) => boolean = () => true,
): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    if (!worth(key)) {
      return compute(key);
    }
    const known = results.get(key);
    if (known !== undefined) {
      return known;
    }
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}

const LARGE = 10;

/** Whether a schema takes long enough to convert for its projection to be kept: many properties, or definitions. */
export function isLarge(schema: { [key: string]: unknown }): boolean {
  const { properties } = schema;
  return (
    schema.$defs !== undefined ||
    schema.definitions !== undefined ||
    (typeof properties === 'object' && properties !== null && Object.keys(properties).length > LARGE)
  );
}
