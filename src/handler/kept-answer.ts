import {
  createFrameCutter,
  type Edit,
  editMembers,
  editMembersOf,
  type JsonObject,
  storedResponses,
} from '../../translators/index.js';
import { type Archive, exchangedOf, type Named } from '../archive/index.js';
import { isObject } from '../ground/plain/index.js';
import { randomHex } from '../web/index.js';

/** Where an answer is kept, and what is kept with it. */
export interface Keeping {
  /** undefined = it is not to be kept. */
  readonly archive: Archive | undefined;
  readonly tenant: string;
  readonly named: Named;
  /** The state domain of a host of the client's own dialect, whose answer passes as it comes; undefined of others. */
  readonly domain: string | undefined;
  readonly stream: boolean;
  /** Called with the reason why an answer could not be kept: it is delivered all the same. */
  notKept(cause: unknown): void;
}

const FINISHED = new Set<unknown>(['completed', 'incomplete']);
const NOT_KEPT = { store: { json: 'false' } } as const;

/** Keeps an answer before its client has its last word, which shows whether it is kept. */
export async function keepAnswer(response: Response, keeping: Keeping): Promise<Response> {
  const { status, headers, body } = response;
  if (keeping.stream && body !== null) return new Response(keptStream(body, keeping), { status, headers });
  const edits = editsFor(keeping);
  const given = await response.text();
  const text = edits === undefined ? given : editMembers(given, edits);
  const answer: unknown = JSON.parse(text);
  const kept = isObject(answer) && (await keep(keeping, answer, text));
  return new Response(kept ? text : editMembers(text, NOT_KEPT), { status, headers });
}

/** What a host that keeps nothing cannot know of its answer: the one that it continues, that it is kept, and an id that no other has. */
function editsFor({ archive, domain, named }: Keeping): Readonly<Record<string, Exclude<Edit, 'remove'>>> | undefined {
  if (domain === undefined) return undefined;
  const chained = { previous_response_id: { json: JSON.stringify(named.previous ?? null), add: true } };
  if (archive === undefined) return chained;
  const id = { json: `"resp_il${randomHex()}"`, add: true };
  return { ...chained, store: { json: 'true', add: true }, id };
}

async function keep(
  { archive, tenant, named, domain, notKept }: Keeping,
  response: JsonObject,
  printed?: string,
): Promise<boolean> {
  const { id, status } = response;
  if (archive === undefined || !storedResponses.isId(id) || !FINISHED.has(status)) return false;
  try {
    const exchanged = exchangedOf(named, id, randomHex);
    await archive.keep(tenant, { id, response, printed, kept: 0, pieces: [], ...exchanged, owner: undefined, domain });
    return true;
  } catch (cause) {
    notKept(cause);
    return false;
  }
}

/** The same for a stream: its last frame waits until the answer is kept. */
function keptStream(body: ReadableStream<Uint8Array>, keeping: Keeping): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  const cutter = createFrameCutter();
  const edits = editsFor(keeping);
  const pass = async (given: string): Promise<string> => {
    const moment = storedResponses.lifecycleOf(given);
    if (moment === undefined) return given;
    const frame =
      edits === undefined ? given : storedResponses.withData(given, (json) => editMembersOf(json, 'response', edits));
    if (!storedResponses.isLast(moment)) return frame;
    const answer = storedResponses.answerIn(frame);
    return answer !== undefined && (await keep(keeping, answer)) ? frame : storedResponses.asNotKept(frame);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const frames = cutter.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
          if (done) frames.push(cutter.rest);
          let text = '';
          for (const frame of frames) text += await pass(frame);
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (done) controller.close();
          if (done || text !== '') return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
