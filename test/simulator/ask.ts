/** One answer to a probe. */
export interface Probed {
  readonly status: number;
  readonly text: string;
}

/** Posts a body over a socket; with what every request of the messages dialect has on its head. */
export async function post(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Probed> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}
