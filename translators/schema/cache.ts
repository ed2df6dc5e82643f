/** Remembers the result for each object given, as long as the caller keeps the object. Results must not be changed. */
export function cached<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) {
      return known;
    }
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
