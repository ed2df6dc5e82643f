import {
  createLosses,
  dialects,
  type Edit,
  type FitHostContext,
  fitRelayed,
  type HostFeature,
  type HostRestorer,
  type Loss,
  type Losses,
  type ModelTarget,
  readCarrierHeader,
  refuseLosses,
  settleRelayed,
} from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import {
  type Caller,
  callerHeaders,
  type Host,
  type HostAsk,
  type JsonText,
  keepBetas,
  keepThread,
  type LossPolicy,
  outlineOf,
  pathOf,
  relayedBody,
  relayedQuery,
  takesQuery,
} from '../protocol/index.js';
import type { GenerationRequest } from './request.js';

/** What is known of a request that goes to a host of its own dialect. */
export interface RelayContext {
  readonly caller: Caller;
  readonly host: Host;
  readonly policy: LossPolicy;
  readonly request: GenerationRequest;
  /** The host's name of the model. */
  readonly model: string;
  readonly operation: 'create' | 'count';
  /** What the host lacks of its dialect. */
  readonly unsupported: readonly HostFeature[];
  /** Of the model at the host. */
  readonly profile: () => ModelTarget;
  /** Pictures that were fetched for the request. */
  readonly media?: FitHostContext['media'];
  readonly omitMedia?: boolean;
  /** Whether opaque state in a carrier of this domain is to be kept from the host. */
  readonly isForeign: (domain: string | undefined) => boolean;
  /** The most tokens that the model is known to generate. */
  readonly mostOutput?: number;
  /** Further changes to the members of the body. */
  readonly edits?: Readonly<Record<string, Edit>>;
  /** The path in the client's own body for one in `request`, where that was made of it. */
  readonly pathOf?: (path: string) => string;
}

/** The call of a request that is relayed. */
export interface RelayedCall {
  /** The request as its host takes it, before the changes that are made to its text. */
  readonly json: JsonText;
  readonly sent: Required<Omit<HostAsk<'POST', string | Uint8Array<ArrayBuffer>>, 'besideVersion'>>;
  readonly losses: { readonly list: readonly Loss[] };
  /** Gives the answer back what the body lost; undefined where it passes as it comes. */
  readonly restore: HostRestorer | undefined;
}

/**
 * The call of a request to a host of its own dialect: nothing is decoded. The model's name and the credentials change
 * (http.md#same-dialect), and what the host lacks of the dialect (hosts.md#presets); opaque state of others stays behind (Decision 0001).
 * Throws the client's error when strict refuses, with all losses at once, and for what the host cannot take.
 */
export function relayedCall(context: RelayContext): RelayedCall {
  const { caller, host, policy, request, model, operation, edits } = context;
  const list: Loss[] = [];
  const fitted = fitToHost(context, list);
  const { json, restore } = fitted;
  const thread = createLosses();
  const betas = keepThread(host, keepBetas(host, caller.headers), outlineOf(json), thread);
  list.push(...thread.list);
  const state = withoutForeignState(context, fitted, list);
  const capped = capOutput(context, outlineOf(json), list);
  if (policy.policy === 'strict') refuseLosses(list, policy.allow, caller.dialect);
  const path = pathOf(host, dialects[host.dialect], operation, { model, stream: request.stream });
  const changes = { ...betas.edits, ...state, ...capped, ...edits };
  return {
    json,
    sent: {
      method: 'POST',
      path: takesQuery(host) ? relayedQuery(path, caller.query, host) : path,
      body: relayedBody({ json, asked: request.model, model }, host, changes, operation),
      headers: callerHeaders(caller, host, betas.header),
    },
    losses: { list },
    restore,
  };
}

/** A body that its host can take. */
interface Fitted extends Pick<RelayedCall, 'json' | 'restore'> {
  /** The path in the client's own body for one in `json`. Absent = the same. */
  readonly pathOf: RelayContext['pathOf'];
}

/** What the host does not support of the dialect is written anew; every other byte stays. What is lost is added to `list`. */
function fitToHost(context: RelayContext, list: Loss[]): Fitted {
  const { host, request, unsupported, profile, media, omitMedia, pathOf: given = (path) => path } = context;
  if (unsupported.length === 0) return { json: request.json, restore: undefined, pathOf: context.pathOf };
  const losses = createLosses();
  const body = { text: request.json.text, value: request.json.value };
  const fitted = fitRelayed(host.dialect, body, {
    unsupported: new Set(unsupported),
    losses,
    target: profile(),
    media,
    omitMedia,
  });
  const { text, value, pathOf: before, restore } = fitted;
  addAt(list, losses, context.pathOf);
  return { json: { text, value }, restore, pathOf: (path) => given(before(path)) };
}

/** Changes to members of a body. */
type Edits = Readonly<Record<string, Edit>>;

/**
 * Decision 0001. A conversation that moves between hosts holds carriers made for one host that another would refuse; a carrier
 * that holds what this host issued is opened (translation.md 4.2.7).
 */
function withoutForeignState(
  { host, profile, isForeign }: RelayContext,
  { json, pathOf }: Fitted,
  list: Loss[],
): Edits {
  const { arrived } = json;
  const seen = arrived?.latin1 ?? json.text;
  // As nearly always.
  if (!dialects[host.dialect].foreignMark.test(seen)) return {};
  const { value } = json;
  if (!isObject(value)) return {};
  const text = arrived === undefined ? seen : json.text;
  const losses = createLosses();
  const members = settleRelayed(host.dialect, value, text, {
    domain: host.domain,
    foreign: (carrier) => isForeign(readCarrierHeader(carrier)?.domain),
    target: profile(),
    losses,
  });
  addAt(list, losses, pathOf);
  const edits = Object.entries(members).map(([key, member]) => {
    const edit: Edit = member === undefined ? 'remove' : { json: JSON.stringify(member), add: true };
    return [key, edit] as const;
  });
  return Object.fromEntries(edits);
}

/** Lowers the caps of a body to what the model generates. */
function capOutput({ host, mostOutput: most }: RelayContext, value: unknown, list: Loss[]): Edits {
  if (most === undefined || !isObject(value)) return {};
  const over = dialects[host.dialect].requestFields.caps.filter((name) => Number(value[name]) > most);
  const detail = `the model generates ${most} tokens at most`;
  for (const name of over) list.push({ path: `/${name}`, feature: 'maxOutput', kind: 'approximated', detail });
  return Object.fromEntries(over.map((name) => [name, { json: String(most) }]));
}

function addAt(list: Loss[], losses: Losses, pathOf: RelayContext['pathOf']): void {
  list.push(...losses.list.map((loss) => (pathOf === undefined ? loss : { ...loss, path: pathOf(loss.path) })));
}
