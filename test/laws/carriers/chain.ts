import {
  createLosses,
  createStreamTranslator,
  type DialectId,
  dialects,
  type Loss,
  readCarrierHeader,
  settleRelayed,
  translateRequest,
  translateResponse,
} from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import { has, lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';
import { foldStream, streamOf } from './streams.js';

/** One gateway on the way: it asks what stands behind it in a dialect, and knows that by a domain. */
export interface Hop {
  readonly to: DialectId;
  readonly domain: string;
  /** Domains of the other backends that this gateway knows. */
  readonly others: ReadonlySet<string>;
}

/** A request on its way through gateways, and the way back for its answer. */
export interface Passage {
  /** What the backend gets. */
  readonly sent: Json;
  /** What each gateway passed on. */
  readonly bodies: readonly Json[];
  readonly losses: readonly Loss[];
  /** Somebody on the way has answers that are one message: in what order their parts stood is not known behind it. */
  readonly unordered: boolean;
  /** What the client gets for the backend's answer. */
  answer(body: Json): Json;
}

const MODELS = tableOf('model');

const STATEFUL = lawTableOf('stateModel');

/** However short, prompts are marked for the cache where they are marked at all. */
const MARKING = { cacheMinimum: 1 };

const HOST = { now: 1_700_000_000, nonce: 'law' };

/** The model under whose name a gateway asks. */
export function modelOf(dialect: DialectId): string {
  return STATEFUL[dialect] ?? MODELS[dialect];
}

export function pass(client: DialectId, body: Json, hops: readonly Hop[], stream: boolean): Passage {
  const bodies: Json[] = [body];
  const losses: Loss[] = [];
  let from = client;
  for (const hop of hops) {
    const given = bodies.at(-1) ?? {};
    const { sent, lost } = from === hop.to ? relay(given, hop) : translate(from, given, hop, stream);
    bodies.push(sent);
    losses.push(...lost);
    from = hop.to;
  }
  const ways = hops.map((hop, index) => ({
    from: hop.to,
    to: index === 0 ? client : (hops[index - 1]?.to ?? client),
    domain: hop.domain,
    request: bodies[index],
    model: 'm',
    ...HOST,
  }));
  return {
    sent: bodies.at(-1) ?? {},
    bodies: bodies.slice(1),
    losses,
    unordered: [client, ...hops.map(({ to }) => to)].some((dialect) => has(dialect, 'oneMessage')),
    answer(answer) {
      if (!stream) return ways.reduceRight((given, way) => translateResponse({ ...way, body: given }).body, answer);
      const backend = hops.at(-1)?.to ?? client;
      const text = ways.reduceRight(
        (given, way) => {
          const translator = createStreamTranslator(way);
          return translator.push(given) + translator.end();
        },
        streamOf(backend, answer),
      );
      return foldStream(client, text);
    },
  };
}

function translate(from: DialectId, body: Json, { to, domain }: Hop, stream: boolean) {
  const { body: sent, losses } = translateRequest({
    from,
    to,
    body,
    domain,
    stream,
    model: modelOf(to),
    profile: MARKING,
  });
  return { sent, lost: losses };
}

/** Within one dialect a gateway passes bodies on as they are, but for state of other backends that it knows. */
function relay(body: Json, { to, domain, others }: Hop) {
  const losses = createLosses();
  const members = settleRelayed(to, body, JSON.stringify(body), {
    domain,
    foreign: (carrier) => others.has(readCarrierHeader(carrier)?.domain ?? ''),
    target: dialects[to].target(modelOf(to)),
    losses,
  });
  return { sent: { ...body, ...members, ...(!has(to, 'modelInPath') && { model: modelOf(to) }) }, lost: losses.list };
}
