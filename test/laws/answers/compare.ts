import type { Part } from '../../../translators/canonical/content.js';
import type { Loss } from '../../../translators/canonical/loss.js';
import type { CanonicalResponse } from '../../../translators/canonical/response.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { align, isDropped, type Match } from './align.js';
import { compareAside } from './aside.js';
import { compareCitations, isLiteral } from './citations.js';
import { same } from './differ.js';
import { compareEnvelope, type Envelope } from './envelope.js';
import { clientView, type Item, shownText, sourceView } from './norm.js';
import { saysNothing } from './said.js';
import { speaks } from './speaks.js';

/** One translation of an answer: what was encoded, for whom, what was reported, what its client reads. */
export interface Exchange {
  readonly client: DialectId;
  readonly source: CanonicalResponse;
  readonly read: CanonicalResponse;
  readonly losses: readonly Loss[];
}

/** Which features may name a fact of a part. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  kind: ['part.media', 'hosted.call', 'part.refusal'],
  phase: ['part.phase'],
  text: ['part.media'],
  logprobs: ['logprobs'],
  name: ['call.name'],
  namespace: ['call.name'],
  args: ['call.args'],
  digits: ['call.args'],
  callId: ['call.id'],
  truncated: ['call.truncated'],
  class: ['part.media', 'part.media.mime'],
  mime: ['part.media', 'part.media.mime'],
  from: ['part.media'],
  base64: ['part.media'],
  url: ['part.media'],
  filename: ['part.media', 'part.media.filename'],
};
const OF_CALL = ['hosted.call'];
const OF_RESULT = ['hosted.output'];
const OF_PICTURE = ['hosted.output', 'part.media', 'hosted.call'];

function featuresOf(item: Item, fact: string): readonly string[] {
  if (item.kind === 'hostedCall') return OF_CALL;
  if (item.kind === 'hostedResult') return OF_RESULT;
  if (item.parts.some((part) => part.kind === 'hostedResult')) return OF_PICTURE;
  return FEATURES[fact] ?? [];
}

/** Everything in which an exchange is not honest: differences that no loss names, and losses that name no difference. */
export function compare(exchange: Exchange): string[] {
  const { client, source, read, losses } = exchange;
  const from = sourceView(source.parts, { client });
  const to = clientView(read.parts, { client });
  const envelope = compareEnvelope(exchange);
  const refused = withoutInventedRefusal(exchange, to.tokens);
  const alignment = align(from, { ...to, tokens: refused }, client, (item) => isDropped(item, losses, source.parts));
  const complaints = [...envelope.complaints, ...alignment.complaints];
  if (alignment.complaints.length > 0) return complaints;
  const named = (ptrs: readonly string[], features: readonly string[]): boolean =>
    losses.some(({ path, feature }) => features.includes(feature) && ptrs.includes(path));
  for (const { from: item, to: shown } of alignment.matches) {
    if (shown === undefined) continue;
    complaints.push(...compareItems(item, shown, exchange, named));
  }
  const aside = from.aside.filter((item) => !isDropped(item, losses, source.parts));
  complaints.push(...compareAside(aside, to.aside, exchange, named));
  complaints.push(...compareGaps(alignment.gaps, exchange, named));
  complaints.push(...compareBags(source, losses));
  for (const loss of losses) {
    if (!isReal(loss, exchange, envelope, alignment.matches, to.aside.length > 0)) {
      complaints.push(`nothing differs at ${loss.path}: ${loss.feature} ${loss.kind} (${loss.detail})`);
    }
  }
  return complaints;
}

/** The words of a refusal that stand in its explanation become an item for clients that want one (translation.md 5.2). */
function withoutInventedRefusal({ client, source, read }: Exchange, tokens: ReturnType<typeof clientView>['tokens']) {
  const { detail } = source.finish;
  if (!has(client, 'refusalParts') || detail === undefined || source.parts.some((part) => part.kind === 'refusal'))
    return tokens;
  if (source.finish.kind !== 'refusal' || read.finish.kind !== 'refusal') return tokens;
  return tokens.filter((token) => token.type !== 'item' || token.kind !== 'refusal' || token.facts.text !== detail);
}

function isCut({ finish }: CanonicalResponse): boolean {
  return ['max_tokens', 'context_window', 'refusal', 'filter'].includes(finish.kind);
}

type Named = (ptrs: readonly string[], features: readonly string[]) => boolean;

function compareItems(item: Item, shown: Item, exchange: Exchange, named: Named): string[] {
  const complaints: string[] = [];
  const path = item.ptrs[0] ?? '';
  // A refusal is a text in an answer that ends as refused (translation.md 5.1).
  const ended = exchange.read.finish.kind === 'refusal' || exchange.read.finish.kind === 'filter';
  const refusal = item.kind === 'refusal' && shown.kind === 'text' && ended;
  const marked = item.kind === 'refusal' && shown.kind === 'text' && named(item.ptrs, ['part.refusal']);
  if (item.kind !== shown.kind && !refusal && !marked) {
    if (!named(item.ptrs, ['part.media', 'hosted.call'])) complaints.push(`${path}: ${item.kind} became ${shown.kind}`);
    return complaints;
  }
  if (item.kind === 'hostedResult' && item.facts.family !== shown.facts.family)
    return compareMoved(item, exchange, named);
  // One message does not tell what stood behind its last call (translation.md 5.1).
  const { parts } = exchange.read;
  const last = has(exchange.client, 'oneMessage') ? parts.findLast(({ kind }) => kind === 'call') : parts.at(-1);
  for (const fact of new Set([...Object.keys(item.facts), ...Object.keys(shown.facts)])) {
    if (same(item.facts[fact], shown.facts[fact])) continue;
    // A last call in an answer that was cut may be cut itself; the wire does not say (translation.md 5.2 rule 5).
    if (fact === 'truncated' && has(exchange.client, 'cutCalls') && shown.parts[0] === last && isCut(exchange.read))
      continue;
    if (named(item.ptrs, featuresOf(item, fact))) continue;
    complaints.push(`${path}: ${fact} ${JSON.stringify(item.facts[fact])} became ${JSON.stringify(shown.facts[fact])}`);
  }
  const [part] = item.parts;
  if (part?.kind === 'text') {
    const { changed, made } = compareCitations(part, shown, exchange.client);
    for (const citation of changed) {
      if (!named([citation.src?.ptr ?? '', path], ['part.citation']))
        complaints.push(`${path}: citation ${JSON.stringify(citation)} is not told`);
    }
    if (made) complaints.push(`${path}: a citation that nobody made`);
  }
  return complaints;
}

/** What a call brought that reads as one of another family: the call says so, and the result what got lost. */
function compareMoved(item: Item, { source }: Exchange, named: Named): string[] {
  const [part] = item.parts;
  const call = source.parts.find(
    (other) => other.kind === 'hostedCall' && part?.kind === 'hostedResult' && other.callId === part.callId,
  );
  const { family: _family, url: _url, isError: _isError, ...rest } = item.facts;
  const lost = Object.values(rest).some((value) => value !== undefined);
  const said = named([call?.src?.ptr ?? ''], OF_CALL) && (!lost || named(item.ptrs, OF_RESULT));
  return said ? [] : [`${item.ptrs[0]}: ${JSON.stringify(item.facts)} became another family`];
}

function compareGaps(gaps: ReturnType<typeof align>['gaps'], { client, losses }: Exchange, named: Named): string[] {
  const complaints: string[] = [];
  const dropped = losses.filter(({ feature, kind }) => feature === 'reasoning.state' && kind === 'dropped');
  const hidden = dropped.some(({ detail }) => /only to clients that/.test(detail));
  gaps.forEach(({ from, to }, index) => {
    const told = (thoughts: readonly { readonly text: string }[]): unknown =>
      has(client, 'thoughtParagraphs') ? thoughts.map(({ text }) => text) : thoughts.map(({ text }) => text).join('');
    if (!same(told(from.thoughts), told(to.thoughts)) && !hidden) {
      const ptrs = from.thoughts.map(({ ptr }) => ptr);
      if (!named(ptrs, ['reasoning.text']))
        complaints.push(`thoughts ${index}: ${JSON.stringify(from.thoughts)} became ${JSON.stringify(to.thoughts)}`);
    }
    const entriesOf = (states: typeof from.states): unknown => states.map(({ entry }) => entry);
    if (same(entriesOf(from.states), entriesOf(to.states))) return;
    const kept = from.states.slice(0, to.states.length);
    const trailing = index === gaps.length - 1 && dropped.length > 0 && same(entriesOf(kept), entriesOf(to.states));
    if (!hidden && !trailing)
      complaints.push(`state ${index}: ${JSON.stringify(from.states)} became ${JSON.stringify(to.states)}`);
  });
  return complaints;
}

/** Keys that only the source knows: one entry for each (translation.md 0.4). */
function compareBags(source: CanonicalResponse, losses: readonly Loss[]): string[] {
  return source.parts.flatMap((part) =>
    keysOf(part, source.source).flatMap(({ key, held }) => {
      const path = held ? part.src?.ptr : `${part.src?.ptr}/${escapeSegment(key)}`;
      const gone = losses.some((loss) => loss.kind === 'dropped' && loss.path === part.src?.ptr);
      const said = losses.some((loss) => loss.path === path && loss.feature === `ext.${key}`);
      return said || gone ? [] : [`${path}: the key is gone`];
    }),
  );
}

/** The keys of a part that only its dialect knows; those that its item held come with its first part. */
function keysOf(part: Part, dialect: string): { readonly key: string; readonly held: boolean }[] {
  return Object.entries(part.ext?.[dialect] ?? {}).flatMap(([key, value]) => {
    const held = key === '$message';
    const keys = Object.entries<unknown>(held ? Object(value) : { [key]: value });
    return keys.flatMap(([name, said]) => (saysNothing(said) ? [] : [{ key: name, held }]));
  });
}

function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Whether what a loss names is really not there as it was, down to the letter. */
function isReal(
  loss: Loss,
  exchange: Exchange,
  envelope: Envelope,
  matches: readonly Match[],
  aside: boolean,
): boolean {
  // A picture in an answer is our extension of a dialect (translation.md 5.1).
  if (loss.feature === 'part.media' && /extension|few clients read/.test(loss.detail)) return true;
  // One message tells nothing of what stood before what.
  if (loss.feature === 'turn.order') return has(exchange.client, 'oneMessage');
  const known = envelope.real(loss);
  if (known !== undefined) return known;
  const [, , index, inner, place] = loss.path.split('/');
  const part = exchange.source.parts[Number(index)];
  if (part === undefined) return false;
  if (loss.feature.startsWith('ext.'))
    return keysOf(part, exchange.source.source).some(({ key }) => loss.feature === `ext.${key}`);
  if (!speaks(loss.feature, part)) return false;
  if (loss.feature === 'reasoning.state') return true;
  if (part.kind === 'reasoning') return hidesText(part);
  const match = matches.find(({ from }) => from.ptrs.includes(`/parts/${index}`));
  if (match === undefined) return aside || part.kind === 'hostedResult' || part.kind === 'hostedCall';
  const { to } = match;
  if (to === undefined) return true;
  if (loss.feature === 'part.citation' && part.kind === 'text') {
    const cited = part.citations ?? [];
    const one = inner === 'citations' ? cited[Number(place)] : undefined;
    return (one === undefined ? cited : [one]).some((citation) => !isLiteral(citation, to));
  }
  return !same(groupOf(loss.feature, part), groupOf(loss.feature, to.parts[0])) || match.from.kind !== to.kind;
}

function hidesText(part: Extract<Part, { kind: 'reasoning' }>): boolean {
  const raw = shownText([], part.raw);
  return raw !== '' && shownText(part.text, undefined) !== '';
}

/** The fields that a feature speaks of. */
function groupOf(feature: string, part: Part | undefined): unknown {
  if (part === undefined) return undefined;
  switch (part.kind) {
    case 'call':
      if (feature === 'call.args') return [part.args.text ?? part.args.value, part.args.value];
      if (feature === 'call.name') return [part.name, part.namespace];
      if (feature === 'call.truncated') return part.truncated;
      if (feature === 'call.family') return part.family;
      return part.callId;
    case 'text':
      return feature === 'logprobs' ? part.logprobs : part.phase;
    case 'refusal':
      return part.phase;
    case 'hostedCall':
      return [part.family, part.input, part.status];
    case 'hostedResult':
      return [part.output, part.isError, part.errorCode];
    case 'media':
      return [part.data, part.mime, part.filename, part.class];
    default:
      return part;
  }
}
