import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  dialects,
  type Loss,
  refusedLosses,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../../translators/index.js';
import { isObject } from '../../ground/plain/index.js';
import { serviceRefusal } from '../../simulator/rules/index.js';
import type { Exchange } from './exchange.js';
import type { RefusalRow } from './report.js';
import type { Target } from './target.js';

/** Why a request is refused. */
export interface Refusal extends Pick<RefusalRow, 'by' | 'path' | 'reason'> {
  /** What is refused, and is not quoted in reports. */
  readonly body: unknown;
}

/** What becomes of an exchange on its way to another dialect and back. */
export interface Examined {
  readonly outcome: 'clean' | 'lossy' | 'refused';
  readonly model: string;
  /** Of the request. */
  readonly there: readonly Loss[];
  /** Of the answer; undefined when there is none that can be read. */
  readonly home: readonly Loss[] | undefined;
  /** Why it cannot go. */
  readonly refusal?: Refusal;
  /** What the service that it was recorded at refuses in it, unless that is known to have taken it. */
  readonly atHome?: Refusal;
}

/** Sends an exchange through the translation, there and back. `target` is what its model leads to. */
export function examine(exchange: Exchange, to: DialectId, target: Target): Examined {
  const { from, request: body, stream } = exchange;
  const own = modelOf(exchange);
  const atHome = refusedAtHome(exchange, own);
  const known = { model: own, ...(atHome !== undefined && { atHome }) };
  try {
    const model = target.model ?? exchange.model ?? (own === '' && NAMED_IN_URL.has(from) ? UNNAMED : undefined);
    const sent = translateRequest({
      from,
      to,
      body,
      profile: target.profile,
      ...(model !== undefined && { model }),
      ...(stream !== undefined && { stream }),
    });
    const refused = target.checks ? serviceRefusal(to, { ...sent, cloud: target.cloud }) : undefined;
    const losses = { there: sent.losses, home: answerOf(exchange, to) };
    if (refused === undefined) {
      const outcome = refusedLosses(sent.losses).length === 0 ? 'clean' : 'lossy';
      return { ...known, ...losses, outcome };
    }
    const { path, message: reason } = refused;
    return { ...known, ...losses, outcome: 'refused', refusal: { by: 'service', path, reason, body: sent.body } };
  } catch (thrown) {
    const { path, message: reason, losses } = TranslationError.from(thrown);
    const refusal: Refusal = { by: 'translation', path, reason, body };
    return { ...known, outcome: 'refused', there: losses, home: undefined, refusal };
  }
}

/** Stands for the model of a request that had it in a URL which was not recorded: no table knows it. */
const UNNAMED = 'unnamed';

const NAMED_IN_URL: ReadonlySet<DialectId> = new Set(
  dialectIds.filter((id) => dialects[id].endpoint('create', { model: UNNAMED, stream: false }).includes(UNNAMED)),
);

/** The model that an exchange names; '' = none. */
export function modelOf({ request, model }: Exchange): string {
  if (model !== undefined) return model;
  return isObject(request) && typeof request.model === 'string' ? request.model : '';
}

/** A service that answered has taken the request, whatever its rules say: it may be another than the vendor's. */
function refusedAtHome(
  { from, request: body, response, streamed, status }: Exchange,
  model: string,
): Refusal | undefined {
  const answered = response !== undefined || streamed !== undefined;
  if (status === undefined ? answered : status < 400) return undefined;
  const refused = serviceRefusal(from, { body, model });
  return refused && { by: 'service', path: refused.path, reason: refused.message, body };
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
    // An answer that broke off, or that is none, shows nothing of the way back.
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
