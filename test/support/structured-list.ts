/** One member of a list of RFC 8941: a token with its parameters. */
export interface ListMember {
  readonly token: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Reads a list of RFC 8941 whose members are tokens and whose parameters are tokens, strings and integers. Throws for anything else. */
export function parseList(text: string): ListMember[] {
  let rest = text;
  const take = (pattern: RegExp, what: string): string => {
    const found = new RegExp(`^(?:${pattern.source})`).exec(rest)?.[0];
    if (found === undefined) throw new Error(`${what} expected at ${JSON.stringify(rest.slice(0, 40))}`);
    rest = rest.slice(found.length);
    return found;
  };
  const bare = (): string | number => {
    if (rest.startsWith('"')) {
      return take(/"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/, 'a string')
        .slice(1, -1)
        .replace(/\\(.)/g, '$1');
    }
    return /^-?\d/.test(rest) ? Number(take(/-?\d{1,15}/, 'an integer')) : take(TOKEN, 'a token');
  };
  const members: ListMember[] = [];
  while (rest !== '') {
    if (members.length > 0) take(/[ \t]*,[ \t]*/, 'a comma');
    const token = take(TOKEN, 'a token');
    const parameters: Record<string, string | number> = {};
    while (rest.startsWith(';')) {
      take(/; */, 'a semicolon');
      const key = take(/[a-z*][a-z0-9_.*-]*/, 'a key');
      take(/=/, 'an equals sign');
      parameters[key] = bare();
    }
    members.push({ token, parameters });
  }
  return members;
}

const TOKEN = /[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/;
