import { storedResponses } from '../../translators/index.js';
import {
  type Archive,
  createArchive,
  createBudget,
  isGiven,
  listedInput,
  type Named,
  namesIn,
  noConversations,
  noItem,
  noResponse,
  notFound,
  notStreamed,
  pathIn,
  placesIn,
  soundRecords,
  stateOf,
  tooManyReferences,
  wholeInput,
} from '../archive/index.js';
import { Failure } from '../ground/plain/index.js';
import { belowVersion, decodeSegment } from '../protocol/index.js';
import { idHeaders, jsonAnswer, type Settings, type WebRequest, type WebRoute } from '../web/index.js';
import { digestOf } from './access.js';
import type { HandlerCall } from './call.js';
import { type Keeping, keepAnswer } from './kept-answer.js';
import { storeOver } from './kept-store.js';
import type { HandlerStore } from './options.js';

/** The state of the responses dialect: its backends keep nothing, so that what is kept is in the store of the options. */
export interface State {
  /** Reads what a request names. Rejects with the client's error for what is not known, and for what cannot be had here. */
  open(call: HandlerCall, asked: Asked): Promise<Conversation>;
  readonly routes: readonly WebRoute<HandlerCall>[];
}

type Asked = Omit<WebRequest, 'target'>;

/** A request as part of its conversation. */
export interface Conversation {
  /** What is asked of a model of a host. */
  askOf(settings: Settings, model: string): Asked;
  /** Keeps the answer of a host on its way to the client, where it is to be kept. */
  keep(response: Response, settings: Settings): Promise<Response>;
}

/** Items that one request may name, and what is loaded for one, in MB; as with the gateway. */
const MOST_REFERENCES = 1000;
const HISTORY_MB = 64;

const ONE = belowVersion(String.raw`responses\/([^/]+)`);
const INPUT = belowVersion(String.raw`responses\/([^/]+)\/input_items`);

/** State over a store, in which entries live so many seconds, and which is waited for so long; undefined = nothing is kept. */
export function createState(store: HandlerStore | undefined, ttlSeconds: number, storeSeconds: number): State {
  const archive =
    store &&
    createArchive(
      soundRecords(storeOver(store, ttlSeconds, storeSeconds), () => {}),
      ttlSeconds * 1000,
    );
  const find = async (call: HandlerCall, pattern: RegExp): Promise<Kept> => {
    const id = decodeSegment(pattern.exec(call.path)?.[1] ?? '') ?? '';
    const tenant = tenantOf(call);
    const stored = await archive?.answer(tenant, id);
    if (archive === undefined || stored === undefined) throw noResponse(id);
    return { archive, tenant, id, stored };
  };
  return {
    open: (call, asked) => openConversation(archive, call, asked),
    routes: [
      {
        method: 'GET',
        path: '/v1/responses/{id}',
        pattern: ONE,
        async serve(call) {
          const { stored } = await find(call, ONE);
          if (new URLSearchParams(call.query).get('stream') === 'true')
            throw notStreamed('the streams of answers are not kept here');
          return jsonAnswer(200, stored.response, idHeaders(call));
        },
      },
      {
        method: 'DELETE',
        path: '/v1/responses/{id}',
        pattern: ONE,
        async serve(call) {
          const { archive: from, tenant, id } = await find(call, ONE);
          await from.remove(tenant, id);
          return jsonAnswer(200, { id, object: 'response', deleted: true }, idHeaders(call));
        },
      },
      {
        method: 'GET',
        path: '/v1/responses/{id}/input_items',
        pattern: INPUT,
        async serve(call) {
          const { archive: from, tenant, id } = await find(call, INPUT);
          const items = await listedInput(from, tenant, id, new URLSearchParams(call.query));
          return jsonAnswer(200, items, idHeaders(call));
        },
      },
    ],
  };
}

interface Kept {
  readonly archive: Archive;
  readonly tenant: string;
  readonly id: string;
  readonly stored: storedResponses.StoredAnswer;
}

/** Whose ids a caller may use: those made with its own key. */
function tenantOf({ key }: HandlerCall): string {
  if (key === undefined) return 'all';
  const hex = Array.from(digestOf(key.name), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `key-${hex.slice(0, 32)}`;
}

async function openConversation(archive: Archive | undefined, call: HandlerCall, asked: Asked): Promise<Conversation> {
  const { json, counting } = asked;
  const names = namesIn(json.value);
  const { body } = names;
  if (body.background === true) throw noBackground();
  if (isGiven(body.conversation)) throw noConversations();
  const tenant = tenantOf(call);
  const found = await lookUp(archive, tenant, names);
  const named: Named = { ...names, found, earlier: storedResponses.itemsBefore(found.before, undefined) };
  const keeps = archive !== undefined && body.store !== false && !counting;
  const state = stateOf(named);
  return {
    askOf(settings, model) {
      const { host } = settings;
      if (host.dialect !== call.dialect) return { ...asked, conversation: { state, echo: { ...body, store: keeps } } };
      const { thinking } = settings.service.target(model, settings.profile);
      const rebuilt = {
        items: wholeInput(named, host.domain),
        stateless: !counting,
        reasons: storedResponses.asksForState(body, thinking) && !host.unsupported.includes('encryptedReasoning'),
      };
      if (rebuilt.items === undefined && counting) return asked;
      let places: readonly string[] | undefined;
      const pathOf = (path: string): string => {
        places ??= placesIn(named);
        return pathIn(places, path);
      };
      return { ...asked, json: storedResponses.standAlone(json, rebuilt), pathOf };
    },
    async keep(response, { host }) {
      const relays = host.dialect === call.dialect;
      if (counting || (!keeps && !(relays && names.previous !== undefined))) return response;
      const keeping: Keeping = {
        archive: keeps ? archive : undefined,
        tenant,
        named,
        domain: relays ? host.domain : undefined,
        stream: asked.stream,
        notKept: (cause) => {
          call.recording.facts.notKept = cause;
        },
      };
      return keepAnswer(response, keeping);
    },
  };
}

async function lookUp(
  archive: Archive | undefined,
  tenant: string,
  { previous, references }: Pick<Named, 'previous' | 'references'>,
): Promise<Named['found']> {
  if (references.length > MOST_REFERENCES) throw tooManyReferences(MOST_REFERENCES);
  const budget = createBudget(HISTORY_MB);
  const items = (await archive?.items(tenant, references, budget)) ?? new Map();
  const missing = references.find((id) => !items.has(id));
  if (missing !== undefined) throw noItem(missing);
  const before = previous === undefined ? undefined : await archive?.history(tenant, previous, budget);
  if (previous !== undefined && before === undefined) throw notFound(previous, undefined);
  return { before, items };
}

function noBackground(): Failure {
  const message =
    'answers in the background are not made here: leave out background, and wait for the answer or its stream';
  return new Failure({ kind: 'unsupported', message, path: '/background' });
}
