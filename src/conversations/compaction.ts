import { type JsonObject, packSummary } from '../../translators/index.js';
import { collectBody } from '../backend.js';
import type { Ask, Reached } from '../exchange/passage.js';
import { relayPassage } from '../exchange/relayed.js';
import { drawnTargets, restedFirst } from '../exchange/target.js';
import { lazyDecode, serveExchange, tryTargets } from '../exchange.js';
import type { Gateway } from '../gateway.js';
import { type ClientCall, runFor } from '../http/client-call.js';
import { Failure, sendJson } from '../http/failure.js';
import { answerHeaders } from '../http/own-headers.js';
import { isObject } from '../json.js';
import { noteFirstByte, noteInner } from '../observe/record.js';
import { randomHex } from '../random.js';
import type { ConversingAsk } from './background.js';
import { type Compacted, streamCompaction } from './compaction-stream.js';
import { detach } from './detached.js';
import { inputItems, itemsOf, listedItem } from './items.js';
import { createKeeper } from './keeper.js';

const PROMPT = `Write a summary of the conversation so far, for a model that will continue it without seeing it. Keep what \
it needs: the user's goals and instructions in their own words where they matter, decisions and their reasons, facts that \
were found, names of files, functions, ids and values, what was done and with which result, what is open, and the next \
step. Write only the summary.`;

/** Whether the conversation is to be compacted instead of answered, by a backend that does not do that itself. */
export function compactsHere(gateway: Gateway, call: ClientCall, ask: Ask): boolean {
  return isTrigger(inputOf(ask).at(-1)) && !isNative(gateway, call, ask);
}

function isNative(gateway: Gateway, call: ClientCall, ask: Ask): boolean {
  const [first] = restedFirst(gateway.backends, drawnTargets(gateway.targets, call, ask.model));
  return first?.backend.dialect === call.dialect;
}

function isTrigger(item: unknown): boolean {
  return isObject(item) && item.type === 'compaction_trigger';
}

function bodyOf({ json: { value } }: Ask): JsonObject {
  return isObject(value) ? value : {};
}

function inputOf(ask: Ask): readonly unknown[] {
  return inputItems(bodyOf(ask).input);
}

/** `POST /v1/responses/compact`: the backend does it, or its model summarises (translation.md 8). */
export async function serveCompact(gateway: Gateway, call: ClientCall, asked: ConversingAsk): Promise<void> {
  // Whatever the body says: this route answers in one piece.
  const ask = { ...asked, stream: false };
  if (isNative(gateway, call, ask)) {
    return tryTargets(gateway, call, ask, lazyDecode(call, ask, false), (attempt) => {
      if (attempt.backend.config.dialect !== call.dialect) throw notNative();
      const passage = relayPassage({ ...attempt, keeper: undefined }, 'create');
      return {
        ...passage,
        sent: { ...passage.sent, path: '/v1/responses/compact' },
        without: () => undefined,
        instead: (status, reached) =>
          NO_ENDPOINT.has(status) ? summariseAfter(gateway, call, ask, reached) : undefined,
      };
    });
  }
  return sendCompacted(gateway, call, ask);
}

function notNative(): Failure {
  return new Failure({ kind: 'unsupported', message: 'this backend does not compact conversations itself' });
}

/** Answers of services that do not compact. */
const NO_ENDPOINT = new Set([404, 405, 501]);
const REFUSAL_BYTES = 1024 * 1024;

async function summariseAfter(
  gateway: Gateway,
  call: ClientCall,
  ask: ConversingAsk,
  { answer, running }: Reached,
): Promise<void> {
  await collectBody(answer, REFUSAL_BYTES, running.abort);
  return sendCompacted(gateway, call, ask);
}

async function sendCompacted(gateway: Gateway, call: ClientCall, ask: ConversingAsk): Promise<void> {
  const { summary, usage, head } = await summarise(gateway, call, ask);
  const kept = [...ask.conversation.earlier, ...ask.conversation.exchanged().input].map(listedItem);
  const users = kept.filter(({ type, role }) => type === 'message' && role === 'user');
  const body = {
    id: `resp_il${randomHex()}`,
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output: [...users.map((item) => ({ ...item, id: `msg_ili${randomHex()}` })), compactionItem(summary)],
    usage,
  };
  noteFirstByte(call);
  sendJson(call.response, 200, body, { ...head, 'content-type': 'application/json' });
}

/** A create request that ends in a trigger: its answer is one compaction. */
export async function serveCompaction(gateway: Gateway, call: ClientCall, ask: ConversingAsk): Promise<void> {
  if (ask.stream) return streamCompaction(gateway, call, (told) => compact(gateway, call, ask, told));
  const { answer, head } = await compact(gateway, call, ask, () => undefined);
  noteFirstByte(call);
  sendJson(call.response, 200, answer, { ...head, 'content-type': 'application/json' });
}

/** Makes and keeps the answer to a trigger. `told` gives the text of its stream, where it is streamed. */
async function compact(
  gateway: Gateway,
  call: ClientCall,
  ask: ConversingAsk,
  told: (answer: JsonObject) => string | undefined,
): Promise<Compacted> {
  const { conversation } = ask;
  const { summary, body, head } = await summarise(gateway, call, ask);
  const answer = { ...body, output: [compactionItem(summary)], store: conversation.echo.store };
  const { before, input } = conversation.exchanged();
  const keeper = createKeeper({
    archive: answer.store === true ? gateway.archive : undefined,
    tenant: conversation.tenant,
    logger: gateway.logger,
    exchanged: () => ({ before, input: input.filter((item) => !isTrigger(item)) }),
    owner: undefined,
    domain: undefined,
    vouched: false,
    shown: undefined,
  });
  return { answer: { ...answer, store: await keeper.keep(answer, told(answer)) }, head };
}

interface Summary {
  readonly summary: string;
  readonly usage: unknown;
  /** The answer as the client's dialect has it. */
  readonly body: JsonObject;
  readonly head: Record<string, string | number>;
}

/** Lets the model that was asked for write the summary. A cap on the answer is none on the summary. */
async function summarise(gateway: Gateway, call: ClientCall, ask: ConversingAsk): Promise<Summary> {
  const asked = bodyOf(ask);
  const items = inputOf(ask).filter((item) => !isTrigger(item));
  const { text: _text, stream: _stream, background: _background, max_output_tokens: _cap, ...settings } = asked;
  const value = {
    ...settings,
    input: [...items, { type: 'message', role: 'user', content: PROMPT }],
    tools: [...itemsOf(asked.tools), ...missingTools(asked, [...ask.conversation.earlier, ...items])],
    tool_choice: 'none',
    store: false,
  };
  let text = '';
  const inner = detach(call, {
    write(piece) {
      text += piece;
    },
  });
  runFor(call, {
    abort(reason) {
      if (reason === undefined) inner.gone = true;
      else inner.stopped = reason;
      inner.running?.abort(reason);
    },
  });
  const conversation = {
    ...ask.conversation,
    echo: { ...asked, store: ask.conversation.echo.store },
    keeperOf: () => undefined,
  };
  const json = { value, text: JSON.stringify(value) };
  await serveExchange(gateway, inner, { ...ask, stream: false, json, conversation }).finally(() => {
    noteInner(call, inner);
  });
  const body: unknown = JSON.parse(text);
  const summary = isObject(body) ? textIn(body) : '';
  if (!isObject(body) || summary.trim() === '') {
    throw new Failure({ kind: 'upstream', message: 'the model wrote no summary' });
  }
  const { 'content-length': _length, ...head } = inner.response.head;
  return { summary, usage: body.usage, body, head: { ...answerHeaders(call), ...head } };
}

/** Tools that calls of the history name and the request does not declare: services want a declaration beside a call. */
function missingTools(asked: JsonObject, items: readonly unknown[]): JsonObject[] {
  const known = new Set(itemsOf(asked.tools).map((tool) => (isObject(tool) ? tool.name : undefined)));
  const missing = new Map<unknown, JsonObject>();
  for (const item of items) {
    if (!isObject(item) || known.has(item.name) || typeof item.name !== 'string') continue;
    if (item.type === 'function_call') {
      missing.set(item.name, {
        type: 'function',
        name: item.name,
        parameters: { type: 'object', properties: {} },
        strict: false,
      });
    } else if (item.type === 'custom_tool_call') missing.set(item.name, { type: 'custom', name: item.name });
  }
  return [...missing.values()];
}

function textIn({ output }: JsonObject): string {
  return itemsOf(output)
    .filter(isObject)
    .flatMap(({ content }) => itemsOf(content))
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function compactionItem(summary: string): JsonObject {
  const state = packSummary(summary);
  if (state === undefined)
    throw new Failure({ kind: 'upstream', message: 'the model wrote a summary that is too long' });
  return { id: `cmp_il${randomHex()}`, type: 'compaction', encrypted_content: state };
}
