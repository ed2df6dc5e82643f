import { type JsonObject, storedResponses } from '../../translators/index.js';
import {
  type Exchanged,
  exchangedOf,
  isGiven,
  type Named as NamedItems,
  namesIn,
  noConversations,
  noItem,
  notFound,
  pathIn,
  placesIn,
  stateOf,
  wholeInput,
} from '../archive/index.js';
import type { Target } from '../config/index.js';
import {
  type AnswerStorage,
  type AskedConversation,
  configuredProfile,
  type GenerationRequest,
} from '../exchange/index.js';
import { type Failure, randomHex, timedHex } from '../ground/index.js';
import { type ClientCall, mayAsk, tenantOf } from '../http/index.js';
import { type AnswerSaver, createAnswerSaver } from './answer-saver.js';
import { createAnswerStorage } from './kept-answer.js';
import { type Found, isUnknown, lookUp } from './lookup.js';
import type { ConversationServices } from './services.js';

/** A request as part of a conversation that is kept somewhere. */
export interface Conversation extends AskedConversation {
  readonly tenant: string;
  /** The items of the conversation before, oldest first. */
  readonly earlier: readonly JsonObject[];
  /** What is kept with the answer of this id, where it is known. */
  exchanged(answer?: string): Pick<Exchanged, 'before' | 'input' | 'fresh'>;
}

/** What a request names, and what is known of it. */
interface Named extends NamedItems {
  readonly gateway: ConversationServices;
  readonly call: ClientCall;
  readonly tenant: string;
  readonly found: Found;
  /** One of them that is not known here. */
  readonly missing: string | undefined;
  /** An answer is wanted, and no count or summary. */
  readonly answers: boolean;
  /** The answer is kept here. */
  readonly keeps: boolean;
  /** Backends that do not know any more what they kept. */
  readonly forgetful: Set<string>;
  /** The paths in the client's body of the items of a rebuilt request, once they are needed. */
  places: readonly string[] | undefined;
}

/**
 * Looks up what a request names: the answer it continues and the items it refers to. `answers` says whether an answer is
 * wanted that can be kept, and no count or summary. Throws 409 while the answer before is still being made.
 */
export async function openConversation(
  gateway: ConversationServices,
  call: ClientCall,
  ask: GenerationRequest,
  answers: boolean,
): Promise<Conversation> {
  const tenant = tenantOf(call, gateway.config);
  const { body, previous, references } = namesIn(ask.json.value);
  const found = await lookUp(gateway, tenant, previous, references);
  const named: Named = {
    gateway,
    call,
    body,
    tenant,
    previous,
    references,
    found,
    missing: references.find((id) => !found.items.has(id)),
    answers,
    keeps: gateway.archive !== undefined && body.store !== false,
    earlier: storedResponses.itemsBefore(found.before, undefined),
    forgetful: new Set(),
    places: undefined,
  };
  return {
    tenant,
    earlier: named.earlier,
    exchanged: (answer) => exchangedOf(named, answer, randomHex),
    echo: { ...body, store: named.keeps },
    state: stateOf(named),
    choose: (targets) => choose(named, targets),
    isBound: (target) => isOwn(named, target) && (body.background === true || (names(named) && knows(named, target))),
    askOf: (target, given) => askOf(named, target, given),
    rebuild: (target) => rebuild(named, target),
    pathOf: (target, path) => pathOf(named, target, path),
    storageOf: (target) => storageOf(named, target),
  };
}

function isOwn({ call }: Named, { backend }: Target): boolean {
  return backend.dialect === call.dialect && backend.state === 'own';
}

/** Whether the body names what is kept somewhere. */
function names({ body, previous, references }: Named): boolean {
  return previous !== undefined || references.length > 0 || isGiven(body.conversation);
}

/** Whether the backend knows everything that the body names. */
function knows(named: Named, target: Target): boolean {
  const { gateway, body, tenant, previous, found, missing, forgetful } = named;
  const { name } = target.backend;
  if (!isOwn(named, target) || forgetful.has(name)) return false;
  const unclaimed = mayAsk(target.backend, tenant, gateway.config);
  if (isGiven(body.conversation)) return unclaimed;
  const chained = previous === undefined || found.owner === name || (unclaimed && isUnknown(found));
  return chained && [...found.itemOwners].every((owner) => owner === name) && (missing === undefined || unclaimed);
}

function refusal(named: Named, target: Target): Failure | undefined {
  const { body, previous, found, missing } = named;
  if (knows(named, target)) return undefined;
  if (isGiven(body.conversation)) return noConversations();
  if (previous !== undefined && found.before === undefined) return notFound(previous, found.owner);
  return missing === undefined ? undefined : noItem(missing);
}

function pathOf(named: Named, target: Target, path: string): string {
  if (knows(named, target)) return path;
  // The same for every loss of the request.
  named.places ??= placesIn(named);
  return pathIn(named.places, path);
}

function choose(named: Named, targets: readonly Target[]): readonly Target[] {
  const able = targets.filter((target) => refusal(named, target) === undefined);
  const [first] = targets;
  const reason = able.length === 0 && first !== undefined ? refusal(named, first) : undefined;
  if (reason !== undefined) throw reason;
  // Among targets that are drawn, one that has kept what the body names goes on with it.
  const keeping = able.filter((target) => names(named) && target.weight !== undefined && knows(named, target));
  return keeping.length === 0 ? able : [...keeping, ...able.filter((target) => !keeping.includes(target))];
}

function askOf(named: Named, target: Target, given: GenerationRequest): GenerationRequest {
  const { body, previous, references, answers } = named;
  const stateless = answers && !isOwn(named, target);
  const needed = previous !== undefined || references.length > 0 || stateless;
  if (knows(named, target) || !needed) return given;
  const { thinking } = configuredProfile(target);
  const reasons = storedResponses.asksForState(body, thinking);
  const encrypts = reasons && !target.backend.unsupported.includes('encryptedReasoning');
  const rebuilt = { items: wholeInput(named, target.backend.domain), stateless, reasons: encrypts };
  return { ...given, json: storedResponses.standAlone(given.json, rebuilt) };
}

function rebuild(named: Named, target: Target): boolean {
  const { previous, found, missing, forgetful } = named;
  if (previous === undefined || found.before === undefined || missing !== undefined || !knows(named, target))
    return false;
  forgetful.add(target.backend.name);
  return true;
}

/**
 * What the backend cannot know: that the answer is kept, which one it continues, and an id that nobody guesses and
 * that no other answer has, which servers that keep nothing do not care for.
 */
function shownBy(named: Named, target: Target): NonNullable<AnswerSaver['shown']> {
  const { gateway, tenant, previous, keeps } = named;
  const chained = { previous_response_id: { json: JSON.stringify(previous ?? null), add: true } };
  const id = { json: `"resp_il${timedHex()}"`, add: true };
  if (!isOwn(named, target)) return { ...chained, store: { json: String(keeps), add: true }, ...(keeps && { id }) };
  const unkept = gateway.archive === undefined && !mayAsk(target.backend, tenant, gateway.config);
  const rebuilt = previous !== undefined && !knows(named, target);
  return { ...(rebuilt && chained), ...(unkept && { store: { json: 'false', add: true } }) };
}

function storageOf(named: Named, target: Target): AnswerStorage | undefined {
  const { gateway, call, body, tenant, answers, keeps } = named;
  if (!answers) return undefined;
  const relays = target.backend.dialect === call.dialect;
  const own = isOwn(named, target);
  const vouched = own && mayAsk(target.backend, tenant, gateway.config);
  if (!keeps && (!relays || vouched || (own && body.store === false))) return undefined;
  const saver = createAnswerSaver({
    archive: keeps ? gateway.archive : undefined,
    tenant,
    logger: gateway.logger,
    exchanged: (answer) => exchangedOf(named, answer, randomHex),
    owner: own ? target.backend.name : undefined,
    domain: relays ? target.backend.domain : undefined,
    vouched,
    shown: shownOf(relays ? shownBy(named, target) : {}),
  });
  return createAnswerStorage(saver);
}

function shownOf(edits: NonNullable<AnswerSaver['shown']>): AnswerSaver['shown'] {
  return Object.keys(edits).length === 0 ? undefined : edits;
}
