import {
  createStreamTranslator,
  type DialectId,
  type Loss,
  refusedLosses,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { isObject } from '../ground/index.js';
import type { Exchange } from './exchange.js';

/** What becomes of an exchange on its way to another dialect and back. */
export interface Examined {
  readonly outcome: 'clean' | 'lossy' | 'refused';
  readonly model: string;
  /** Of the request. */
  readonly there: readonly Loss[];
  /** Of the answer; undefined when there is none that can be read. */
  readonly home: readonly Loss[] | undefined;
  /** Why nothing can carry it. */
  readonly refusal?: { readonly path: string; readonly reason: string };
}

/** Sends an exchange through the translation, there and back. */
export function examine(exchange: Exchange, to: DialectId): Examined {
  const { from, request: body, model, stream } = exchange;
  try {
    const sent = translateRequest({
      from,
      to,
      body,
      ...(model !== undefined && { model }),
      ...(stream !== undefined && { stream }),
    });
    const outcome = refusedLosses(sent.losses).length === 0 ? 'clean' : 'lossy';
    return { outcome, model: sent.model, there: sent.losses, home: answerOf(exchange, to) };
  } catch (thrown) {
    const { path, message, losses } = TranslationError.from(thrown);
    return {
      outcome: 'refused',
      model: nameIn(exchange),
      there: losses,
      home: undefined,
      refusal: { path, reason: message },
    };
  }
}

function nameIn({ request, model }: Exchange): string {
  if (model !== undefined) return model;
  return isObject(request) && typeof request.model === 'string' ? request.model : '';
}

/**
 * What is lost of an answer that the client got from its own service: what no answer of the other dialect can hold, and what of such
 * an answer does not come back.
 */
function answerOf(exchange: Exchange, to: DialectId): readonly Loss[] | undefined {
  const { from, response, streamed, status = 200 } = exchange;
  try {
    if (status >= 400) {
      if (response === undefined) return undefined;
      translateError({ from, to, status, body: response });
      return [];
    }
    if (streamed !== undefined) return streamLosses(exchange, streamed, to);
    return response === undefined ? undefined : wholeLosses(exchange, response, to);
  } catch {
    // An answer that broke off, or that is none, tells nothing of the way home.
    return undefined;
  }
}

function wholeLosses({ from, request }: Exchange, body: unknown, to: DialectId): readonly Loss[] {
  const there = translateResponse({ from, to, body });
  const back = translateResponse({ from: to, to: from, body: there.body, request });
  return joined(there.losses, back.losses);
}

function streamLosses({ from, request }: Exchange, text: string, to: DialectId): readonly Loss[] {
  const there = createStreamTranslator({ from, to });
  const back = createStreamTranslator({ from: to, to: from, request });
  back.push(there.push(text) + there.end());
  back.end();
  return joined(there.losses, back.losses);
}

/** What is lost on the way back has no place in the answer that was recorded. */
function joined(there: readonly Loss[], back: readonly Loss[]): readonly Loss[] {
  return [...there, ...back.map((loss) => ({ ...loss, path: '' }))];
}
