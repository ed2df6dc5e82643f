import type { DialectId } from '../../../translators/index.js';
import { connectGenerateContent, connectMessages, connectResponses } from '../../support/clients.js';
import { lawTableOf } from '../dialects/index.js';
import { cutBytes } from './generate/framing.js';
import type { Wire } from './generate/values.js';
import { messageOf } from './readers/chat-completions.js';
import { addPart } from './readers/generate-content.js';
import { UNPARSED } from './readers/messages.js';

/** What an official client has at the end of a stream: the answer as its helper accumulated it, or what it threw. */
export interface Outcome {
  readonly final?: Wire;
  readonly failure?: unknown;
}

/** A server that answers every call with a stream, in pieces of 100 bytes. */
function answering(text: string): typeof globalThis.fetch {
  return async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of cutBytes(Buffer.from(text), [100])) controller.enqueue(new Uint8Array(chunk));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const URL = 'http://127.0.0.1:9';

export async function readMessagesOfficially(text: string): Promise<Wire> {
  const client = connectMessages(URL, { fetch: answering(text) });
  const ask = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };
  // Calls of remote tools are a feature of the second helper only [M §2.3].
  const beta = text.includes('"mcp_tool_use"');
  return plain(await (beta ? client.beta.messages.stream(ask) : client.messages.stream(ask)).finalMessage());
}

export async function readResponsesOfficially(text: string): Promise<Wire> {
  const client = connectResponses(URL, { fetch: answering(text) });
  return plain(await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse());
}

/** What the helper of this dialect knows nothing of: of a text in fragments it keeps the last one [H §7.4]. */
export const UNKNOWN_MEMBERS = ['reasoning', 'reasoning_content', 'reasoning_details'];

export async function readChatCompletionsOfficially(text: string): Promise<Wire> {
  const client = connectResponses(URL, { fetch: answering(text) });
  const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const { choices, ...rest } = plain(await client.chat.completions.stream(ask).finalChatCompletion());
  const [choice = {}] = choices as readonly Wire[];
  const told = messageOf(choice.message as Wire);
  const message = Object.fromEntries(Object.entries(told).filter(([key]) => !UNKNOWN_MEMBERS.includes(key)));
  return { system_fingerprint: null, ...rest, choices: [{ ...choice, message }] };
}

/** The chat helper of this dialect keeps the contents of the chunks; its texts are joined as readers join them. */
export async function readGenerateContentOfficially(text: string): Promise<Wire> {
  const chat = connectGenerateContent(URL, { fetch: answering(text) }).chats.create({ model: 'm' });
  let last: Wire = {};
  for await (const chunk of await chat.sendMessageStream({ message: 'Hi' })) last = { ...last, ...plain(chunk) };
  const { candidates, sdkHttpResponse: _response, ...envelope } = last;
  if (!Array.isArray(candidates)) return envelope;
  const parts: Wire[] = [];
  for (const kept of chat.getHistory().slice(1)) for (const part of kept.parts ?? []) addPart(parts, plain(part));
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts };
  return { ...envelope, candidates: [{ ...candidates[0], content }] };
}

/** Fields that the helpers add to what is on the wire. */
const ADDED = new Set(['parsed', 'parsed_arguments', 'parsed_output', 'output_parsed', 'output_text']);

function plain(value: unknown): Wire {
  return JSON.parse(JSON.stringify(value, (key, child: unknown) => (ADDED.has(key) ? undefined : child)));
}

/** Finish messages are nothing that the helper shows. */
export function candidatesSeen(_final: Wire, body: Wire): Wire {
  const candidates: readonly Wire[] = Array.isArray(body.candidates) ? body.candidates : [];
  const shown = candidates.map(({ finishMessage: _message, ...candidate }) => candidate);
  return { ...body, ...(candidates.length > 0 && { candidates: shown }) };
}

/** Arguments that are no JSON object are what the helper's lenient reader makes of them. */
export function blocksSeen(final: Wire, body: Wire): Wire {
  const shown = (final.content as readonly Wire[]).filter(({ type }) => type === 'tool_use');
  const content = (body.content as readonly Wire[]).map((block) => {
    const unparsed = block.type === 'tool_use' && UNPARSED in Object(block.input);
    return unparsed ? { ...block, input: shown.find(({ id }) => id === block.id)?.input } : block;
  });
  return { ...body, content };
}

const READ = lawTableOf('readOfficially');

/** Reads a stream with the official client of its dialect and that client's own accumulating helper. */
export async function readOfficially(dialect: DialectId, text: string): Promise<Outcome> {
  try {
    return { final: await READ[dialect](text) };
  } catch (failure) {
    return { failure };
  }
}
