import { dialects, type JsonObject, storedResponses } from '../../translators/index.js';
import type { Target } from '../config/index.js';
import type { AskedConversation, GenerationRequest } from '../exchange/index.js';
import { type Failure, isObject, randomHex } from '../ground/index.js';
import { type ClientCall, mayAsk, tenantOf } from '../http/index.js';
import { type AnswerSaver, createAnswerSaver } from './answer-saver.js';
import type { Exchanged } from './exchanged.js';
import { createAnswerStorage } from './kept-answer.js';
import { isUnknown, lookUp } from './lookup.js';
import { bothGiven, noConversations, noItem, noText, notFound } from './refusals.js';
import type { ConversationServices } from './services.js';

/** A request as part of a conversation that is kept somewhere. */
export interface Conversation extends AskedConversation {
  readonly tenant: string;
  /** The items of the conversation before, oldest first. */
  readonly earlier: readonly JsonObject[];
  /** What is kept with the answer. */
  exchanged(): Pick<Exchanged, 'before' | 'input' | 'fresh'>;
}

const START: storedResponses.History = { answers: [], turns: [] };

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
  const { archive, config, logger } = gateway;
  const body: JsonObject = isObject(ask.json.value) ? ask.json.value : {};
  const tenant = tenantOf(call, config);
  const previous = previousOf(body);
  const references = storedResponses.itemsOf(body.input).flatMap((item) => storedResponses.referenceOf(item) ?? []);
  if (previous !== undefined && isGiven(body.conversation)) throw bothGiven();
  const found = await lookUp(gateway, tenant, previous, references);
  const { before, items } = found;
  const keeps = archive !== undefined && body.store !== false;
  const missing = references.find((id) => !items.has(id));

  const isOwn = ({ backend }: Target): boolean => backend.dialect === call.dialect && backend.state === 'own';
  const forgetful = new Set<string>();
  /** The backend knows everything that the body names. */
  const knows = (target: Target): boolean => {
    if (!isOwn(target) || forgetful.has(target.backend.name)) return false;
    const { name } = target.backend;
    const unclaimed = mayAsk(target.backend, tenant, config);
    if (isGiven(body.conversation)) return unclaimed;
    const chained = previous === undefined || found.owner === name || (unclaimed && isUnknown(found));
    const named = [...found.itemOwners].every((owner) => owner === name) && (missing === undefined || unclaimed);
    return chained && named;
  };
  const refusal = (target: Target): Failure | undefined => {
    if (knows(target)) return undefined;
    if (isGiven(body.conversation)) return noConversations();
    if (previous !== undefined && before === undefined) return notFound(previous, found.owner);
    return missing === undefined ? undefined : noItem(missing);
  };

  const earlier = storedResponses.itemsBefore(before, undefined);
  const restored = ({ item, domain: issuer }: storedResponses.KeptItem, domain: string | undefined): JsonObject =>
    storedResponses.itemFor(item, issuer, domain);
  /** The client's own items, with those in the place of their names. */
  const inline = (domain: string | undefined): unknown[] =>
    storedResponses.inputItems(body.input).map((item) => {
      const kept = items.get(storedResponses.referenceOf(item) ?? '');
      return kept === undefined ? item : restored(kept, domain);
    });
  const whole = (target: Target): readonly unknown[] | undefined => {
    const { domain } = target.backend;
    const given = inline(domain);
    const names = previous !== undefined || references.length > 0;
    if (!names && given.every((item) => storedResponses.sendable(item) === item)) return undefined;
    return [...storedResponses.itemsBefore(before, domain), ...given]
      .map(storedResponses.sendable)
      .filter((item) => item !== undefined);
  };
  let places: readonly string[] | undefined;
  /** The paths in the client's body of the items of a rebuilt request: the same for every loss of it. */
  const findPlaces = (): readonly string[] => {
    const sent = (item: unknown): boolean => storedResponses.sendable(item) !== undefined;
    const own = inline(undefined).flatMap((item, index) => (sent(item) ? [`/input/${index}`] : []));
    return [...earlier.filter(sent).map(() => '/previous_response_id'), ...own];
  };

  /**
   * What the backend cannot know: that the answer is kept, which one it continues, and an id that nobody guesses and
   * that no other answer has, which servers that keep nothing do not care for.
   */
  const shownBy = (target: Target): NonNullable<AnswerSaver['shown']> => {
    const chained = { previous_response_id: { json: JSON.stringify(previous ?? null), add: true } };
    const id = { json: `"resp_il${randomHex()}"`, add: true };
    if (!isOwn(target)) return { ...chained, store: { json: String(keeps), add: true }, ...(keeps && { id }) };
    const unkept = archive === undefined && !mayAsk(target.backend, tenant, config);
    const rebuilt = previous !== undefined && !knows(target);
    return { ...(rebuilt && chained), ...(unkept && { store: { json: 'false', add: true } }) };
  };
  const exchanged = () => {
    const given = inline(undefined).filter(isObject);
    return {
      before: previous === undefined ? START : before,
      input: given.map((item) => storedResponses.storedItem(item, randomHex)),
      fresh: !given.some(({ id }) => storedResponses.isId(id)),
    };
  };
  const named = [...items].map(([id, kept]) => [id, [restored(kept, undefined)]] as const);

  return {
    tenant,
    earlier,
    exchanged,
    echo: { ...body, store: keeps },
    state: {
      ...(previous !== undefined && before !== undefined && { [previous]: earlier }),
      ...Object.fromEntries(named),
    },
    choose(targets) {
      const able = targets.filter((target) => refusal(target) === undefined);
      const [first] = targets;
      const reason = able.length === 0 && first !== undefined ? refusal(first) : undefined;
      if (reason !== undefined) throw reason;
      // Among targets that are drawn, one that has kept what the body names goes on with it.
      const names = previous !== undefined || references.length > 0 || isGiven(body.conversation);
      const keeping = able.filter((target) => names && target.weight !== undefined && knows(target));
      return keeping.length === 0 ? able : [...keeping, ...able.filter((target) => !keeping.includes(target))];
    },
    askOf(target, given) {
      const stateless = answers && !isOwn(target);
      const needed = previous !== undefined || references.length > 0 || stateless;
      if (knows(target) || !needed) return given;
      const { thinking } = dialects[target.backend.dialect].profile(target.model, target.profile);
      const reasons = thinking.control !== 'none' && (thinking.defaultOn || isObject(body.reasoning));
      const encrypts = reasons && !target.backend.lacks.includes('encryptedReasoning');
      const rebuilt = { items: whole(target), stateless, reasons: encrypts };
      return { ...given, json: storedResponses.standAlone(given.json, rebuilt) };
    },
    rebuild(target) {
      if (previous === undefined || before === undefined || missing !== undefined || !knows(target)) return false;
      forgetful.add(target.backend.name);
      return true;
    },
    pathOf(target, path) {
      const index = /^\/input\/(\d+)/.exec(path);
      if (knows(target) || index === null) return path;
      places ??= findPlaces();
      const place = places[Number(index[1])] ?? '/input';
      return place === '/previous_response_id' ? place : place + path.slice(index[0].length);
    },
    storageOf(target) {
      if (!answers) return undefined;
      const relays = target.backend.dialect === call.dialect;
      const vouched = isOwn(target) && mayAsk(target.backend, tenant, config);
      if (!keeps && (!relays || vouched || (isOwn(target) && body.store === false))) return undefined;
      const saver = createAnswerSaver({
        archive: keeps ? archive : undefined,
        tenant,
        logger,
        exchanged,
        owner: isOwn(target) ? target.backend.name : undefined,
        domain: relays ? target.backend.domain : undefined,
        vouched,
        shown: shownOf(relays ? shownBy(target) : {}),
      });
      return createAnswerStorage(saver);
    },
  };
}

function previousOf({ previous_response_id: id }: JsonObject): string | undefined {
  if (typeof id === 'string') return id;
  if (isGiven(id)) throw noText();
  return undefined;
}

function shownOf(edits: NonNullable<AnswerSaver['shown']>): AnswerSaver['shown'] {
  return Object.keys(edits).length === 0 ? undefined : edits;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
