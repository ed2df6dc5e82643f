/** The parts of a curl command line that the pages use: the URL, headers and a body. */
export function readCurl(command: string): { url: string; headers: Record<string, string>; body: string } {
  const line = command.replaceAll('\\\n', ' ');
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, quoted, bare] = line.match(/^curl (?:'([^']+)'|(\S+))/) ?? [];
  const [, body = ''] = line.match(/-d '([\s\S]*?)'\s*$/) ?? [];
  return { url: quoted ?? bare ?? '', headers: Object.fromEntries(headers), body };
}
