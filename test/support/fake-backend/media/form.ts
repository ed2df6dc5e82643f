/** One part of a form as it stood on the wire. */
export interface WirePart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

/** Takes a form apart by the letter: exact boundaries, CRLF, nothing before or behind. Throws for anything else. */
export function readWireForm(type: string | undefined, body: Buffer): WirePart[] {
  const boundary = /^multipart\/form-data; boundary=([\w'()+,./:=?-]{1,70})$/.exec(type ?? '')?.[1];
  if (boundary === undefined) throw new Error(`no form: ${type}`);
  const mark = Buffer.from(`--${boundary}`);
  const parts: WirePart[] = [];
  let at = 0;
  if (!body.subarray(0, mark.length).equals(mark)) throw new Error('the form does not begin with its boundary');
  for (;;) {
    at += mark.length;
    const next = body.toString('latin1', at, at + 2);
    if (next === '--') {
      if (body.toString('latin1', at + 2) !== '\r\n') throw new Error('something stands behind the form');
      return parts;
    }
    if (next !== '\r\n') throw new Error('a boundary does not end its line');
    const headEnd = body.indexOf('\r\n\r\n', at);
    const end = body.indexOf(`\r\n--${boundary}`, headEnd + 2);
    if (headEnd === -1 || end === -1) throw new Error('a part does not end');
    const headers = new Map(
      body
        .toString('utf8', at + 2, headEnd)
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const disposition = /^form-data; name="([^"]*)"(?:; filename="([^"]*)")?$/.exec(
      headers.get('content-disposition') ?? '',
    );
    if (disposition === null) throw new Error(`a part has no good disposition: ${headers.get('content-disposition')}`);
    parts.push({
      name: disposition[1] ?? '',
      filename: disposition[2],
      type: headers.get('content-type'),
      bytes: body.subarray(headEnd + 4, end),
    });
    at = end + 2;
  }
}
