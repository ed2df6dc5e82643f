import { TranslationError } from '../../translators/index.js';
import { type ExplainedRefusal, explanation } from '../call/index.js';
import { isUnforeseen, toCanonicalError, withoutSecrets } from '../ground/plain/index.js';
import { createEstimate, createHostRequests, type HostAsk, pathOf, shownRequest } from '../protocol/index.js';
import { answerHeaders, decode, jsonText, planFor, type Task } from '../web/index.js';
import type { HandlerCall } from './call.js';

/** Answers with the call that would be made for a request, or with why there is none (http.md#what-would-be-sent). */
export async function explain(call: HandlerCall, task: Task): Promise<Response> {
  const { ask } = task;
  const { host, service, name, apiKey } = task.call.settings;
  let sent: HostAsk<'POST', string | Uint8Array> | undefined;
  let losses: TranslationError['losses'] = [];
  let refusal: ExplainedRefusal | null = null;
  try {
    const plan = await planFor(task);
    sent = plan.sent;
    losses = plan.losses.list;
  } catch (thrown) {
    if (isUnforeseen(thrown)) throw thrown;
    const error = withoutSecrets(toCanonicalError(thrown), call.handler.redact);
    const { status } = call.client.encodeError(error, { requestId: call.id });
    refusal = { by: 'gateway', status, kind: error.kind, path: error.path ?? null, message: error.message };
    if (thrown instanceof TranslationError) losses = thrown.losses;
  }
  const { target: model, stream } = ask;
  const asked = sent ?? { method: 'POST', path: pathOf(host, service, 'create', { model, stream }) };
  const made = createHostRequests(host)(asked, { apiKey, headers: host.headers });
  // Without keys nobody is known to own the addresses.
  const address = call.key?.explain ?? 'path';
  const { method, url, headers } = shownRequest(host, made, { address, known: call.handler.secrets });
  const { body } = asked;
  const text = explanation(
    {
      before: { target: ask.model, backend: name, dialect: host.dialect, method, url, headers },
      after: { losses, tokens: await tokensOf(task), restrictions: [], endpoints: null, refusal },
    },
    body === undefined ? 'null' : typeof body === 'string' ? body : new TextDecoder().decode(body),
  );
  call.recording.facts.explained = true;
  return jsonText(200, text, answerHeaders(task.call, model, {}, losses));
}

/** About how many tokens the request has. */
async function tokensOf({ call, ask }: Task): Promise<number | null> {
  try {
    return await createEstimate({}, () => call.settings.countTokens)(decode(call, ask).request);
  } catch {
    // What is only relayed need not be a conversation, nor be valid.
    return null;
  }
}
