import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CORPUS_ABSENT, corpusPresent, type Recorded, recordedExchanges } from '../support/corpus.js';
import { type Probed, post } from './ask.js';
import { type SimulatorServer, startSimulatorServer } from './server.js';

let server: SimulatorServer;
beforeAll(async () => {
  server = await startSimulatorServer();
});
afterAll(() => server.close());

/** What only the service that issued it can read, or still has: no simulator can serve it. */
const STATE =
  /"(?:signature|thought_?[sS]ignature|encrypted_content|encrypted_index)":"(?!skip_thought|context_eng|c2tpcF90aG91Z2h0)|"type":"(?:redacted_thinking|item_reference)"|"(?:previous_response_id|conversation)":["{]/;
/** Routes that the simulator has. */
const ROUTES =
  /^\/v1\/(?:messages|messages\/count_tokens|responses|responses\/input_tokens|images\/(?:generations|edits))(?:\?|$)|^\/v1beta1?\/.*:(?:generateContent|streamGenerateContent|countTokens)(?:\?|$)/;
/** Accepted once and against the sheet, which forbids text of white space alone [M §3.5]. */
const WHITESPACE_TEXT = 'llm-anthropic--test-anthropic-test-tools-2';
/** A reasoning item without its state names one that was kept. */
const BARE_REASONING = (item: { type?: string; encrypted_content?: unknown }): boolean =>
  item.type === 'reasoning' && !item.encrypted_content;

/** The recordings are without the heads of their requests. */
const BETAS = { 'anthropic-beta': 'mcp-client-2025-11-20,computer-use-2025-01-24' };

/** A recorded form. */
interface Form {
  readonly multipart: readonly { readonly name: string; readonly value?: string; readonly data_base64?: string }[];
}

function isForm(request: unknown): request is Form {
  return typeof request === 'object' && request !== null && 'multipart' in request;
}

async function postForm(url: string, path: string, { multipart }: Form): Promise<Probed> {
  const form = new FormData();
  for (const { name, value, data_base64 } of multipart) {
    if (data_base64 === undefined) form.append(name, value ?? '');
    else form.append(name, new Blob([Buffer.from(data_base64, 'base64')]), 'picture');
  }
  const answer = await fetch(url + path, { method: 'POST', body: form });
  return { status: answer.status, text: await answer.text() };
}

function isServed({ name, status, endpoint, request }: Recorded): boolean {
  if (name === WHITESPACE_TEXT || status >= 400 || request === undefined || !ROUTES.test(endpoint)) return false;
  const { input } = request as { input?: unknown };
  if (Array.isArray(input) && input.some(BARE_REASONING)) return false;
  return !STATE.test(JSON.stringify(request));
}

// What the services took, the simulator takes.
(corpusPresent ? describe : describe.skip)(`recorded requests ${CORPUS_ABSENT}`, () => {
  test.each([
    ['messages', 50],
    ['responses', 50],
    ['generateContent', 60],
    ['images', 6],
  ] as const)('%s: at least %i are served', async (dialect, least) => {
    const served = recordedExchanges(dialect).filter(isServed);
    expect(served.length).toBeGreaterThanOrEqual(least);
    const refused: string[] = [];
    for (const { name, endpoint, request } of served) {
      const { status, text } = await (isForm(request)
        ? postForm(server.url, endpoint, request)
        : post(server.url, endpoint, request, BETAS));
      if (status !== 200) refused.push(`${name}: ${status} ${text}`);
    }
    expect(refused).toEqual([]);
  });
});
