import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type BackendConfig, type Config, endpointFor } from '../config/index.js';
import { forgetLastMatch } from '../ground/index.js';
import { answerFailure, type ClientCall, createFacts, createRecord, settleAnswer } from '../http/index.js';
import { estimateTokens } from '../limits/index.js';
import { routes, serveRoute } from '../routes/index.js';
import {
  type Begin,
  type FromThread,
  movable,
  type ThreadData,
  type ToThread,
  type ToThreadItself,
} from './messages.js';
import { NotHere } from './not-here.js';
import { unpackReason } from './packed-failure.js';
import { createRemoteBackends } from './thread-backends.js';
import { createShared, gatewayOf, type Shared } from './thread-gateway.js';
import { createLink } from './thread-link.js';
import { createRequest, RemoteResponse } from './thread-response.js';

/** Serves one request with the parts of this thread, and tells the process what became of it. */
async function serve(shared: Shared, begin: Begin): Promise<void> {
  const { port, call: given } = begin;
  const { call, response } = openCall(begin, shared);
  let done = false;
  const closeUnused = (): void => {
    if (done && backends.running === 0) port.close();
  };
  const backends = createRemoteBackends(shared.config, begin, call.record, closeUnused);
  const gateway = gatewayOf(shared, begin, backends);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'taken') response.take(message.size);
    else if (message.kind === 'stop') stop(call, response, message);
    else backends.hear(message);
  });
  let refused = false;
  try {
    const route = routes[begin.route];
    if (route !== undefined) await serveRoute(route, gateway, call);
    await call.ending;
  } catch (thrown) {
    refused = thrown instanceof NotHere && !response.headersSent;
    if (!refused) answerFailure(gateway, call, thrown);
  }
  settleAnswer(call);
  done = true;
  const { record } = call;
  const uncounted = given.admission?.counted === 'conversation' && record.facts?.inputTokens === undefined;
  const asked = uncounted ? estimateTokens(call.admission?.asked) : undefined;
  const message: FromThread = { kind: 'done', record, asked };
  if (refused) {
    const { bytes, memory } = movable(call.body ?? Buffer.from(call.json?.text ?? ''));
    port.postMessage({ ...message, body: bytes } satisfies FromThread, [memory]);
  } else port.postMessage(message);
  response.release();
  closeUnused();
  forgetLastMatch();
}

function openCall({ port, call: given, targets, body }: Begin, { config }: Shared) {
  const { method, headers, startedAt, admission, ...rest } = given;
  const url = rest.query === '' ? rest.path : `${rest.path}?${rest.query}`;
  const request = createRequest(method, url, headers);
  const response = new RemoteResponse(request, port);
  const call: ClientCall = {
    ...rest,
    request,
    response,
    startedAt: startedAt - performance.timeOrigin,
    // The pieces are not needed any more, and the reader of the body releases it.
    body: Buffer.concat(body.splice(0)),
    // The configuration here is a copy, and what is known of a backend beside it belongs to the backend of this copy.
    targets: targets?.map((target) => ({ ...target, backend: ownCopy(config, target.backend) })),
    gone: false,
    record: createRecord(createFacts()),
    ...(admission !== undefined && { admission: { ...admission, handOver: settledElsewhere, settle: () => {} } }),
  };
  return { call, response };
}

function ownCopy({ backends }: Config, endpoint: BackendConfig): BackendConfig {
  const backend = backends[endpoint.name];
  return (backend && endpointFor(backend, endpoint.dialect)) ?? endpoint;
}

/** What is made for a request after it is over is made by the process. */
function settledElsewhere(): never {
  throw new NotHere();
}

function stop(call: ClientCall, response: RemoteResponse, { reason }: Extract<ToThread, { kind: 'stop' }>): void {
  if (reason === undefined) {
    call.gone = true;
    response.leave();
    call.running?.abort();
  } else {
    call.stopped = unpackReason(reason);
    call.running?.abort(call.stopped);
  }
}

/**
 * Lets the thread that serves everybody go first where the processors are busy. On Linux a priority belongs to one
 * thread (setpriority(2)); elsewhere it belongs to the process, which keeps its own.
 */
function yieldToProcess(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

function run(port: NonNullable<typeof parentPort>, data: ThreadData): void {
  const link = createLink(port, data.config.log.level);
  const shared = createShared(data, link);
  port.on('message', (message: ToThreadItself) => {
    if (message.kind === 'begin') void serve(shared, message.begin);
    else link.hear(message);
  });
}

if (parentPort !== null) {
  yieldToProcess();
  run(parentPort, workerData as ThreadData);
}
