import { createRequire } from 'node:module';
import type { ConfigInput } from '../config/index.js';
import type { Note } from './draft.js';

/** What each kind of note stands under in the file. */
const TITLES: Readonly<Record<Note['kind'], string>> = {
  'no place': 'Has no place here',
  changed: 'Is something else here',
  secret: 'Was a secret in clear',
};

/** The file, with what the user should know of it in comments. `made` = of what it was made. */
export function printFile(config: ConfigInput, notes: readonly Note[], made: string): string {
  const { Document, isMap, isScalar, visit } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document = new Document(config, { aliasDuplicateObjects: false });
  visit(document, {
    Map(_key, node, path) {
      // Targets, keys and what holds only values stand on one line.
      if (path.length > 2 && node.items.every(({ value }) => isScalar(value))) node.flow = true;
    },
    Pair(_key, { value }) {
      if (isMap(value) && value.items.length === 0) value.flow = true;
    },
  });
  const kinds = Object.entries(TITLES).flatMap(([kind, title]) => {
    const lines = notes.filter((note) => note.kind === kind).map((note) => `#   ${lineOf(note)}`);
    return lines.length === 0 ? [] : [`# ${title}:`, ...lines];
  });
  const head = [
    '# yaml-language-server: $schema=node_modules/interlingua/config.schema.json',
    `# ${inLine(`interlingua import ${made}`)}`,
    ...kinds,
  ];
  return `${head.join('\n')}\n${document.toString({ lineWidth: 0 })}`;
}

/** A note on one line. */
export function lineOf({ path, message }: Note): string {
  return inLine(`${path}: ${message}`);
}

function inLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ');
}
