/** What becomes of one member of an object: another value, given as JSON text, or nothing. */
export type Edit = { readonly json: string; readonly add?: boolean } | 'remove';

/** Where a member of an object is in its text. */
export interface Member {
  readonly key: string;
  /** Index of the quote before the key. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/**
 * Changes members of the outermost object of a JSON text and leaves every other character as it is: numbers beyond
 * double precision, escapes, white space and the order of keys survive. An edit with `add` appends the member when it
 * is missing. The text must be valid JSON; one whose outermost value is no object is returned as it is.
 */
export function editMembers(text: string, edits: Readonly<Record<string, Edit>>): string {
  const open = skipSpace(text, 0);
  if (text[open] !== '{') return text;
  let out = '';
  let done = 0;
  const seen = new Set<string>();
  let kept = 0;
  for (const member of members(text, open)) {
    const edit = Object.hasOwn(edits, member.key) ? edits[member.key] : undefined;
    if (edit === undefined) {
      kept += 1;
      continue;
    }
    seen.add(member.key);
    if (edit === 'remove') {
      const [from, to] = cutOf(text, member, kept === 0);
      out += text.slice(done, Math.max(from, done));
      done = to;
    } else {
      kept += 1;
      out += text.slice(done, member.valueStart) + edit.json;
      done = member.valueEnd;
    }
  }
  const missing = Object.entries(edits).flatMap(([key, edit]) =>
    edit !== 'remove' && edit.add === true && !seen.has(key) ? [`${JSON.stringify(key)}:${edit.json}`] : [],
  );
  if (missing.length === 0) return done === 0 ? text : out + text.slice(done);
  const close = text.lastIndexOf('}');
  return `${out}${text.slice(done, close)}${kept > 0 ? ',' : ''}${missing.join(',')}${text.slice(close)}`;
}

/** Changes members of the object that is the value of `key` in the outermost object, where there is one. */
export function editMembersOf(text: string, key: string, edits: Readonly<Record<string, Edit>>): string {
  const open = skipSpace(text, 0);
  if (text[open] !== '{') return text;
  let out = '';
  let done = 0;
  for (const member of members(text, open)) {
    if (member.key !== key || text[member.valueStart] !== '{') continue;
    const inner = editMembers(text.slice(member.valueStart, member.valueEnd), edits);
    out += text.slice(done, member.valueStart) + inner;
    done = member.valueEnd;
  }
  return done === 0 ? text : out + text.slice(done);
}

/** Hears the members of all objects of a JSON text. */
export interface MemberScan {
  /**
   * What to do with a member's value: pass over it, tell its text (in a list, each text), or look for members in it.
   * `object` is the same set, empty at first, for all members of one object.
   */
  member(key: string, object: Set<string>): 'skip' | 'text' | 'search';
  text(value: string): void;
}

/** Goes once through a JSON text, which must be valid; every member of an object is reported, also a repeated one. */
export function scanMembers(text: string, scan: MemberScan): void {
  const token = /["[\]{}]/g;
  const open: { readonly names: Set<string>; readonly tells: boolean }[] = [];
  let tells = false;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const at = found.index;
    if (found[0] === '{' || found[0] === '[') {
      open.push({ names: new Set(), tells: tells && found[0] === '[' });
      tells = false;
    } else if (found[0] === '"') {
      const end = skipString(text, at);
      const after = skipSpace(text, end);
      token.lastIndex = end;
      const inside = open.at(-1);
      if (text[after] !== ':' || inside === undefined) {
        if (tells || inside?.tells === true) scan.text(stringAt(text, at, end));
        tells = false;
        continue;
      }
      const what = scan.member(stringAt(text, at, end), inside.names);
      tells = what === 'text';
      if (what === 'skip') token.lastIndex = skipValue(text, skipSpace(text, after + 1));
    } else {
      open.pop();
      tells = false;
    }
  }
}

/** The span to cut with a member: up to the next member when it is the first that is kept, else from the comma before it. */
function cutOf(text: string, member: Member, first: boolean): [number, number] {
  const after = skipSpace(text, member.valueEnd);
  if (first) return [member.start, text[after] === ',' ? skipSpace(text, after + 1) : member.valueEnd];
  return [text.lastIndexOf(',', member.start), member.valueEnd];
}

/** The members of the object whose brace is at `open`, in order. */
export function* members(text: string, open: number): Generator<Member> {
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    yield { key: stringAt(text, at, keyEnd), start: at, valueStart, valueEnd };
    at = skipSpace(text, valueEnd);
    if (text[at] !== ',') return;
    at = skipSpace(text, at + 1);
  }
}

/** What the string from the quote at `at` to the one before `end` says. */
function stringAt(text: string, at: number, end: number): string {
  const raw = text.slice(at + 1, end - 1);
  return raw.includes('\\') ? String(JSON.parse(text.slice(at, end))) : raw;
}

/** The index of the first character from `from` on that is no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The index after the string that begins with the quote at `from`. */
function skipString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The index after the value that begins at `from`. */
export function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return skipString(text, from);
  if (first !== '{' && first !== '[') {
    const end = /[,\]}\s]/g;
    end.lastIndex = from;
    return end.exec(text)?.index ?? text.length;
  }
  const bracket = /["[\]{}]/g;
  bracket.lastIndex = from;
  let depth = 0;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    if (found[0] === '"') bracket.lastIndex = skipString(text, found.index);
    else if (found[0] === '{' || found[0] === '[') depth += 1;
    else {
      depth -= 1;
      if (depth === 0) return found.index + 1;
    }
  }
  return text.length;
}
