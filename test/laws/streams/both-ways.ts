import { createAnswerTranslator } from '../../../translators/exchange/index.js';
import {
  createLosses,
  createStreamTranslator,
  type DialectId,
  decodeRequest,
  defaultDomain,
  dialects,
  type Loss,
  TranslationError,
} from '../../../translators/index.js';
import type { Wire } from './generate/values.js';

/** How an answer is asked for. */
export interface Asking {
  readonly request?: Wire;
  readonly framing?: 'sse' | 'array';
}

/** An answer after translation. */
export interface Told {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** What a host passes in. */
export const CONTEXT = { now: 1_760_000_000, nonce: 'law' };

/** The stream a client of `to` gets for the chunks of a stream of `from`. */
export function streamed(
  from: DialectId,
  to: DialectId,
  chunks: Iterable<Uint8Array | string>,
  asking: Asking = {},
): Told {
  const translator = createStreamTranslator({ from, to, ...CONTEXT, model: 'm', stream: true, ...asking });
  let text = '';
  for (const chunk of chunks) text += translator.push(chunk);
  return { text: text + translator.end(), losses: translator.losses };
}

/** The same stream folded first and then told whole: the answer, or the kind of its failure. */
export function folded(
  from: DialectId,
  to: DialectId,
  bytes: Uint8Array,
  asking: Asking = {},
): { readonly body?: Wire; readonly failure?: string; readonly losses: readonly Loss[] } {
  const losses = createLosses();
  const request = asking.request && decodeRequest(to, asking.request, { model: 'm', stream: true }).value;
  const collector = createAnswerTranslator({
    client: dialects[to],
    backend: dialects[from],
    request,
    requestBody: asking.request,
    requestedModel: request?.model,
    domain: defaultDomain(from),
    losses,
    ...CONTEXT,
  }).collect();
  try {
    collector.push(bytes);
    const { body } = collector.end();
    return { body: JSON.parse(JSON.stringify(body)), losses: losses.list };
  } catch (thrown) {
    if (thrown instanceof TranslationError) return { failure: thrown.kind, losses: losses.list };
    throw thrown;
  }
}
