import { createRequire } from 'node:module';

/** How often aliases may repeat their anchors' values. */
const MOST_ALIASES = 100;

/**
 * The value of a YAML text. Throws an error with the line and column of a fault. Duplicate keys are looked for here:
 * the parser compares every key with all before it, which takes minutes for tens of thousands of models.
 */
export function parseYaml(text: string): unknown {
  // Loaded here: a start without a file does without it.
  const { isScalar, LineCounter, parseDocument, visit } = createRequire(import.meta.url)(
    'yaml',
  ) as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true, uniqueKeys: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const { line, col } = lines.linePos(key.range?.[0] ?? 0);
          throw new Error(`a key stands twice at line ${line}, column ${col}`);
        }
        seen.add(key.value);
      }
    },
  });
  return document.toJS({ maxAliasCount: MOST_ALIASES });
}
