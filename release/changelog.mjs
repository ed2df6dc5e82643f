/**
 * CHANGELOG.md as data: a version is a second heading, a kind of change a third, and below that lines, some of them under a line that
 * ends in a colon (`Streams:`).
 */

export const UNRELEASED = 'Unreleased';

/** The kinds of change, in their order. */
export const KINDS = ['Upgrade notes', 'Added', 'Changed', 'Fixed', 'Security'];

/** The parts of a text, each behind a heading of this form; what stands before the first has no name. */
function cut(text, heading) {
  const parts = [{ name: undefined, lines: [] }];
  for (const line of text.split('\n')) {
    const name = heading.exec(line)?.[1];
    if (name === undefined) parts.at(-1).lines.push(line);
    else parts.push({ name, lines: [] });
  }
  return parts.map(({ name, lines }) => ({ name, text: lines.join('\n').trim() }));
}

const versionsOf = (text) => cut(text, /^## (.+)$/);
const kindsOf = (text) => cut(text, /^### (.+)$/);
const groupsOf = (text) => cut(text, /^([A-Z][^\n]*:)$/);

/** The names of the versions of a changelog, the newest first. */
export function versionNames(text) {
  return versionsOf(text).flatMap(({ name }) => name ?? []);
}

/** What a changelog says of a version. Throws where it says nothing. */
export function notesOf(text, version) {
  const notes = versionsOf(text).find(({ name }) => name === version)?.text ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${notes}\n`;
}

/** A text whose links lead below an address, for places that know nothing of the files beside it. */
export function withAddress(text, address) {
  return text.replace(/\]\((?![a-z]+:|#)/g, `](${address}`);
}

/** Two lists of parts as one: what has the same name is put together, what is new comes last. */
function joined(first, second, join) {
  const later = second.filter(({ name }) => !first.some((one) => one.name === name));
  const both = first.map((one) => {
    const other = second.find(({ name }) => name === one.name);
    return other === undefined ? one : { name: one.name, text: join(one.text, other.text) };
  });
  return [...both, ...later];
}

const printed = (parts, mark) =>
  parts
    .map(({ name, text }) => (name === undefined ? text : `${mark}${name}\n\n${text}`))
    .filter((text) => text !== '')
    .join('\n\n');

const lines = (first, second) => [first, second].filter((text) => text !== '').join('\n');
const groups = (first, second) => printed(joined(groupsOf(first), groupsOf(second), lines), '');

/** The kinds in their order; what has no name stands first. Throws for a kind that there is not. */
function sorted(kinds) {
  const unknown = kinds.filter(({ name }) => name !== undefined && !KINDS.includes(name));
  if (unknown.length > 0)
    throw new Error(`CHANGELOG.md has no kind of change called ${unknown[0].name}: ${KINDS.join(', ')}`);
  return [...kinds].sort((a, b) => KINDS.indexOf(a.name) - KINDS.indexOf(b.name));
}

/**
 * A changelog in which the lines under "Unreleased" have moved to a version, kind by kind and group by group, behind those that the
 * version has already; it is made where it is not there. The heading "Unreleased" stays.
 */
export function fold(text, version) {
  const [head, ...versions] = versionsOf(text);
  const open = versions.find(({ name }) => name === UNRELEASED)?.text ?? '';
  const rest = versions.filter(({ name }) => name !== UNRELEASED);
  const known = rest.some(({ name }) => name === version) ? rest : [{ name: version, text: '' }, ...rest];
  const folded = known.map(({ name, text: own }) =>
    name === version
      ? { name, text: printed(sorted(joined(kindsOf(own), kindsOf(open), groups)), '### ') }
      : { name, text: own },
  );
  return `${printed([head, { name: UNRELEASED, text: '' }, ...folded], '## ').replace(/^(## Unreleased)\n+/m, '$1\n\n')}\n`;
}
