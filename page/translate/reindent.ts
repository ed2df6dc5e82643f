const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** A JSON text in lines of its own, with every number, name and string as it is written. The text must be JSON. */
export function reindent(text: string): string {
  const written: string[] = [];
  let depth = 0;
  let before = '';
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      if (before !== '{' && before !== '[') written.push(line());
    } else if (before === '{' || before === '[' || before === ',') written.push(line());
    written.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return `${written.join('')}\n`;
}
