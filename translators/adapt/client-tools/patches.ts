import type { PatchOperation } from '../../canonical/client-actions.js';

/** The name of the tool that applies patches, and of the function that replaces it. */
export const APPLY_PATCH = 'apply_patch';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const HEADS: readonly (readonly [PatchOperation['type'], string])[] = [
  ['create', '*** Add File: '],
  ['update', '*** Update File: '],
  ['delete', '*** Delete File: '],
];

/** How the free text of a patch is to be written; for models that have no such tool. */
export const PATCH_FORMAT = `Creates, changes and deletes files. The input is a patch of this form:
${BEGIN}
*** Add File: new.txt
+every line of a new file begins with a plus
*** Update File: dir/old.txt
@@ a line that tells the place, such as the head of a function
 an unchanged line begins with a space
-a line that goes
+a line that comes
*** Delete File: gone.txt
${END}
Paths are relative. Each change shows some unchanged lines around it.`;

/** Operations as one patch. */
export function patchText(operations: readonly PatchOperation[]): string {
  const blocks = operations.map(({ type, path, diff }) => {
    const head = `${HEADS.find(([kind]) => kind === type)?.[1] ?? HEADS[1]?.[1] ?? ''}${path}`;
    const body = type === 'delete' || diff === undefined || diff === '' ? '' : `\n${diff.replace(/\n$/, '')}`;
    return head + body;
  });
  return [BEGIN, ...blocks, END].join('\n');
}

/** The operations of a patch; undefined when the text is none, or moves a file, which no operation can express. */
export function readPatch(text: string): PatchOperation[] | undefined {
  const lines = text.trim().split(/\r?\n/);
  const first = lines[0]?.trim() === BEGIN ? 1 : 0;
  const last = lines.at(-1)?.trim() === END ? lines.length - 1 : lines.length;
  const operations: { type: PatchOperation['type']; path: string; lines: string[] }[] = [];
  for (const line of lines.slice(first, last)) {
    const head = HEADS.find(([, word]) => line.startsWith(word));
    const open = operations.at(-1);
    if (head !== undefined) operations.push({ type: head[0], path: line.slice(head[1].length).trim(), lines: [] });
    else if (line.startsWith('*** Move to: ')) return undefined;
    else if (open === undefined) return undefined;
    else open.lines.push(line);
  }
  if (operations.length === 0 || operations.some(({ path }) => path === '')) return undefined;
  return operations.map(({ type, path, lines: body }) =>
    type === 'delete' ? { type, path } : { type, path, diff: body.join('\n') },
  );
}
