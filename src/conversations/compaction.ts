import { type JsonObject, packSummary, storedResponses } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { NO_ENDPOINT } from '../call/index.js';
import {
  type AnsweredCall,
  availableFirst,
  deliverRelayed,
  type GenerationRequest,
  isExplained,
  lazyDecode,
  pickTargets,
  planRelay,
  serveExchange,
  tryTargets,
} from '../exchange/index.js';
import { Failure, isObject, randomHex } from '../ground/index.js';
import {
  answerHeaders,
  type ClientCall,
  noteFirstByte,
  noteInner,
  runFor,
  type Served,
  sendJson,
} from '../http/index.js';
import { createAnswerSaver } from './answer-saver.js';
import type { ConversingAsk } from './background.js';
import { type Compacted, streamCompaction } from './compaction-stream.js';
import { detach } from './detached.js';
import { createKeptStream } from './kept-stream.js';
import type { ConversationServices } from './services.js';

/** Whether the conversation is to be compacted instead of answered, by a backend that does not do that itself. */
export function compactsHere(gateway: ConversationServices, call: ClientCall, ask: GenerationRequest): boolean {
  return storedResponses.isTrigger(inputOf(ask).at(-1)) && !isNative(gateway, call, ask);
}

function isNative(gateway: ConversationServices, call: ClientCall, ask: GenerationRequest): boolean {
  const [first] = availableFirst({ gateway, call }, pickTargets(gateway.targets, call, ask.model));
  return first?.backend.dialect === call.dialect;
}

function bodyOf({ json: { value } }: GenerationRequest): JsonObject {
  return isObject(value) ? value : {};
}

function inputOf(ask: GenerationRequest): readonly unknown[] {
  return storedResponses.inputItems(bodyOf(ask).input);
}

/** `POST /v1/responses/compact`: the backend does it, or its model summarises (translation.md 8). */
export async function serveCompact(
  gateway: ConversationServices,
  call: ClientCall,
  asked: ConversingAsk,
): Promise<Served> {
  // Whatever the body says: this route answers in one piece.
  const ask = { ...asked, stream: false };
  if (isNative(gateway, call, ask)) {
    return tryTargets(gateway, call, ask, lazyDecode(call, ask, false), (attempt) => {
      if (attempt.backend.config.dialect !== call.dialect) throw notNative();
      const plan = planRelay({ ...attempt, storage: undefined }, 'create');
      return {
        ...plan,
        kind: 'own',
        sent: { ...plan.sent, path: '/v1/responses/compact' },
        deliver: (answered) => deliverRelayed(plan, answered),
        instead: (status, answered) =>
          NO_ENDPOINT.has(status) ? summariseAfter(gateway, call, ask, answered) : undefined,
      };
    });
  }
  return sendCompacted(gateway, call, ask);
}

function notNative(): Failure {
  return new Failure({ kind: 'unsupported', message: 'this backend does not compact conversations itself' });
}

const REFUSAL_BYTES = 1024 * 1024;

async function summariseAfter(
  gateway: ConversationServices,
  call: ClientCall,
  ask: ConversingAsk,
  { answer, running }: AnsweredCall,
): Promise<void> {
  await collectBody(answer, REFUSAL_BYTES, running.abort);
  await sendCompacted(gateway, call, ask);
}

async function sendCompacted(gateway: ConversationServices, call: ClientCall, ask: ConversingAsk): Promise<Served> {
  if (isExplained(call)) return serveExchange(gateway, call, summaryAsk(ask));
  const { summary, usage, head } = await summarise(gateway, call, ask);
  const items = [...ask.conversation.earlier, ...ask.conversation.exchanged().input];
  const output = [...storedResponses.userMessages(items, randomHex), compactionItem(summary)];
  const body = storedResponses.compactedAnswer(output, usage, Math.floor(Date.now() / 1000), randomHex);
  noteFirstByte(call);
  sendJson(call.response, 200, body, { ...head, 'content-type': 'application/json' });
  return 'answered';
}

/** A create request that ends in a trigger: its answer is one compaction. */
export async function serveCompaction(
  gateway: ConversationServices,
  call: ClientCall,
  ask: ConversingAsk,
): Promise<Served> {
  if (isExplained(call)) return serveExchange(gateway, call, summaryAsk(ask));
  if (ask.stream) {
    await streamCompaction(gateway, call, (encodeStream) => compact(gateway, call, ask, encodeStream));
    return 'answered';
  }
  const { answer, head } = await compact(gateway, call, ask, () => '');
  noteFirstByte(call);
  sendJson(call.response, 200, answer, { ...head, 'content-type': 'application/json' });
  return 'answered';
}

/** Makes and keeps the answer to a trigger. `encodeStream` gives the text of its stream, nothing where it is not streamed. */
async function compact(
  gateway: ConversationServices,
  call: ClientCall,
  ask: ConversingAsk,
  encodeStream: (answer: JsonObject) => string,
): Promise<Compacted> {
  const { conversation } = ask;
  const { summary, body, head } = await summarise(gateway, call, ask);
  const answer = { ...body, output: [compactionItem(summary)], store: conversation.echo.store };
  const { before, input } = conversation.exchanged();
  const saver = createAnswerSaver({
    archive: answer.store === true ? gateway.archive : undefined,
    tenant: conversation.tenant,
    logger: gateway.logger,
    exchanged: () => ({ before, input: input.filter((item) => !storedResponses.isTrigger(item)) }),
    owner: undefined,
    domain: undefined,
    vouched: false,
    shown: undefined,
  });
  const stream = createKeptStream();
  stream.add(Buffer.from(encodeStream(answer)));
  return { answer: { ...answer, store: await saver.keep(answer, undefined, stream) }, head };
}

interface Summary {
  readonly summary: string;
  readonly usage: unknown;
  /** The answer as the client's dialect has it. */
  readonly body: JsonObject;
  readonly head: Record<string, string | number>;
}

/** What is asked of the model that writes the summary of a conversation. */
function summaryAsk(ask: ConversingAsk): GenerationRequest {
  const asked = bodyOf(ask);
  const value = storedResponses.summaryRequest(asked, ask.conversation.earlier);
  const conversation = {
    ...ask.conversation,
    echo: { ...asked, store: ask.conversation.echo.store },
    storageOf: () => undefined,
  };
  return { ...ask, stream: false, json: { value, text: JSON.stringify(value) }, conversation };
}

/** Lets the model that was asked for write the summary. A cap on the answer is none on the summary. */
async function summarise(gateway: ConversationServices, call: ClientCall, ask: ConversingAsk): Promise<Summary> {
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
  await serveExchange(gateway, inner, summaryAsk(ask)).finally(() => {
    noteInner(call, inner);
  });
  const body: unknown = JSON.parse(text);
  const summary = isObject(body) ? storedResponses.textOf(body) : '';
  if (!isObject(body) || summary.trim() === '') {
    throw new Failure({ kind: 'upstream', message: 'the model wrote no summary' });
  }
  const { 'content-length': _length, ...head } = inner.response.head;
  return { summary, usage: body.usage, body, head: { ...answerHeaders(call), ...head } };
}

function compactionItem(summary: string): JsonObject {
  const state = packSummary(summary);
  if (state === undefined)
    throw new Failure({ kind: 'upstream', message: 'the model wrote a summary that is too long' });
  return storedResponses.compactionItem(state, randomHex);
}
