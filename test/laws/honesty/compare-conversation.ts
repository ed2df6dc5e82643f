import type { CallPart, Part } from '../../../translators/canonical/content.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { Loss } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { align } from './align.js';
import { asDeeds, BARE, clientTools, deedName, deedWords, groupOf, headsOf, isPlain } from './deeds.js';
import { type Diff, diffAt } from './diff.js';
import { isUnder, names } from './json.js';
import { type Route, toolKey } from './names.js';
import { type Atom, atomsOf, wordsOf } from './norm.js';
import { inOneMessage } from './one-message.js';
import { argumentsOf, type Pairs, pairsOf } from './pairs.js';
import { shows } from './renditions.js';
import { VALUES } from './values.js';

/** By kind of part, the features of entries that may say that nothing like it came out. */
const LOST: Readonly<Record<Atom['kind'], readonly string[]>> = VALUES.lost;
/** By facet, the features of entries that may say that it changed. */
const CHANGED: Readonly<Record<string, readonly string[]>> = VALUES.changed;
/** Features of entries that say that something does not stand where it stood. */
const DISPLACED: ReadonlySet<string> = new Set(VALUES.displaced);

/** What differs between two conversations, the second one as it came out of `target`. */
export function compareConversations(
  x: CanonicalRequest,
  y: CanonicalRequest,
  route: Route,
  domain: string,
  losses: readonly Loss[],
): Diff[] {
  const words = deedWords(x, y, route.via ?? route.target);
  if ([route.target, route.via].some((id) => id !== undefined && has(id, 'oneMessage')))
    return compareMessages(x, y, words, route, domain, losses);
  return compareWords(x, y, words, route, domain, losses);
}

function compareMessages(
  x: CanonicalRequest,
  y: CanonicalRequest,
  words: ReturnType<typeof deedWords>,
  route: Route,
  domain: string,
  losses: readonly Loss[],
): Diff[] {
  const refusals = losses.some(({ feature }) => feature === 'part.refusal') ? 'words' : 'parts';
  const [before, after] = [inOneMessage(x, refusals), inOneMessage(y, refusals)];
  // The authority of instructions goes with their words, where these become one text.
  const joined = losses.some(({ feature }) => feature === 'text.join') ? x.instructions : [];
  const voices = joined.map(({ src }) => diffAt('a voice', [src?.ptr ?? ''], ['instruction.authority'], true));
  return [...compareWords(before, after, words, route, domain, losses), ...ofMessages(x), ...voices];
}

/** What may be said where an assistant's turn is one message, and need not be seen: order in it, and what a server wants to read. */
function ofMessages({ turns }: CanonicalRequest): Diff[] {
  return turns.flatMap((turn) => {
    if (turn.role !== 'assistant') return [];
    const places = [turn, ...turn.parts].map(({ src }) => src?.ptr ?? '');
    return [diffAt('a message', places, ['turn.order', 'reasoning.state', 'part.refusal'], true)];
  });
}

function compareWords(
  x: CanonicalRequest,
  y: CanonicalRequest,
  words: ReturnType<typeof deedWords>,
  route: Route,
  domain: string,
  losses: readonly Loss[],
): Diff[] {
  if (words.standIns.size === 0) return compareDeeds(x, y, route, domain, losses, NO_HEADS);
  // What the client calls as a function is one, whatever its name.
  const functions = x.tools.flatMap((tool) => ('name' in tool && tool.kind !== 'client' ? [tool.name] : []));
  const standIns = new Set([...words.standIns].filter((name) => !functions.includes(name)));
  return [
    ...compareDeeds(asDeeds(x, { ...words, standIns }), asDeeds(y, words), route, domain, losses, headsOf(x)),
    ...unsaid(x),
  ];
}

const NO_HEADS: ReadonlyMap<string, string> = new Map();

/** What may be said of calls of built-in tools and of their results, and need not be seen. */
function unsaid({ turns }: CanonicalRequest): Diff[] {
  const at = (part: Part, feature: string): Diff => diffAt(`a ${part.kind}`, [part.src?.ptr ?? ''], [feature], true);
  const { again, calls, callOf } = pairsOf(turns);
  return [
    ...[...again].map((call) => at(call, 'call.id')),
    ...calls.filter((call) => call.family === 'computer' && !isPlain(call)).map((call) => at(call, 'call.family')),
    ...[...callOf].filter(([, { family }]) => family === 'patch').map(([result]) => at(result, 'result.place')),
  ];
}

function compareDeeds(
  x: CanonicalRequest,
  y: CanonicalRequest,
  route: Route,
  domain: string,
  losses: readonly Loss[],
  heads: ReadonlyMap<string, string>,
): Diff[] {
  const xPairs = pairsOf(x.turns);
  const yPairs = pairsOf(y.turns);
  const [xNumbers, yNumbers] = numberCalls(xPairs, yPairs, route);
  const all = atomsOf(x, route, domain, xPairs, xNumbers);
  const xs = all.filter((atom) => atom.void !== true);
  const ys = atomsOf(y, { target: route.target }, domain, yPairs, yNumbers).filter((atom) => atom.void !== true);
  const moved = withPieces(
    losses.filter(({ feature }) => DISPLACED.has(feature)),
    xPairs,
    yPairs,
    heads,
  );
  const isMoved = new Set(
    xs.filter(({ ptr, kind }) =>
      moved.some(({ path, feature }) => names(path, ptr) && (feature !== 'reasoning.state' || kind === 'reasoning')),
    ),
  );
  const gone = new Set(losses.filter(({ feature }) => feature === 'text.blank').map(({ path }) => path));
  const pairs = align(xs, ys, (a, b) => {
    if (a.place !== b.place || a.base !== b.base || gone.has(a.ptr)) return 0;
    // What an entry names gives way to what none names.
    // Results tie together what stands in them.
    const tie = (a.kind === 'result' ? 40 : 10) + (a.of === b.of ? 5 : 0);
    return (isMoved.has(a) ? 0.01 : 1) * (tie + equalFacets(a, b));
  });
  const tools = toolPtrs(x, route);
  const copies = shownCopies(x);
  const diffs: Diff[] = [];
  if (marksOf(all) !== marksOf(ys)) {
    diffs.push({ what: 'cache marks', covers: ({ feature }) => feature.startsWith('cache.'), silent: true });
  }
  diffs.push(...added(x), ...outOfPlace(x, xPairs));
  for (const [a, b] of pairs) diffs.push(...facetDiffs(a, b, x, y, xPairs, tools, heads));
  const metX = new Set(pairs.map(([a]) => a));
  const metY = new Set(pairs.map(([, b]) => b));
  for (const { ptr } of all.filter((atom) => atom.void === true)) {
    diffs.push({ what: 'what says nothing', covers: (loss) => isUnder(loss.path, ptr), silent: true });
  }
  for (const atom of xs) {
    if (metX.has(atom)) continue;
    const text = ledBy(atom, ys);
    diffs.push(...(text === undefined ? lost(atom, copies) : facetDiffs(atom, text, x, y, xPairs, tools, heads)));
  }
  for (const atom of ys) {
    if (metY.has(atom)) continue;
    diffs.push({
      what: `a new ${atom.kind} of ${atom.place}: ${atom.base.slice(0, 80)}`,
      covers: (loss, anywhere = false) => shows(loss, atom, xs, anywhere),
    });
  }
  return diffs;
}

/** Where the result of one piece of a call moves, all of them do. */
function withPieces(
  moved: readonly Loss[],
  { callOf }: Pairs,
  { calls }: Pairs,
  heads: ReadonlyMap<string, string>,
): readonly Loss[] {
  const apart = new Set(calls.map(({ callId }) => callId));
  const results = [...callOf].flatMap(([result, call]) => {
    if (apart.has(call.callId.replace(/ (\d+)$/, '_$1'))) return [];
    const ptr = call.src?.ptr ?? '';
    const head = heads.get(ptr) ?? (isHead(ptr, heads) ? ptr : undefined);
    return head === undefined ? [] : [{ path: result.src?.ptr ?? '', head }];
  });
  return [
    ...moved,
    ...moved.flatMap((loss) => {
      const head = results.find(({ path }) => names(loss.path, path))?.head;
      return results.filter((one) => one.head === head).map(({ path }) => ({ ...loss, path }));
    }),
  ];
}

/** The marks of a conversation, in order. */
function marksOf(atoms: readonly Atom[]): string {
  return atoms.map(({ facets }) => facets.cache ?? '').join();
}

/** What may be said of tools that are added in mid-history, which are compared by name only where they stay there. */
function added(x: CanonicalRequest): Diff[] {
  return x.turns.flatMap(({ parts }) =>
    parts.flatMap((part): Diff[] => {
      const ptr = part.src?.ptr ?? '';
      if (part.kind !== 'toolChange') return [];
      return [{ what: 'an added tool', covers: ({ path }) => path.startsWith(`${ptr}/added/`), silent: true }];
    }),
  );
}

/** Results that do not stand right behind their calls in the order of these: something moves, if not they themselves. */
function outOfPlace({ turns }: CanonicalRequest, { calls, callOf }: Pairs): Diff[] {
  const diffs: Diff[] = [];
  let reached = -1;
  let isBehind = true;
  for (const part of turns.flatMap((turn) => turn.parts)) {
    const call = part.kind === 'result' ? callOf.get(part) : undefined;
    const place = call === undefined ? -1 : calls.indexOf(call);
    if (part.kind === 'call') isBehind = true;
    else if (part.kind !== 'result') isBehind = false;
    else if (!isBehind || place < reached) {
      diffs.push(diffAt('a result out of place', [part.src?.ptr ?? ''], ['result.place'], true));
    }
    reached = Math.max(reached, place);
  }
  return diffs;
}

/** How alike two atoms are; marks move more often than anything else does. */
function equalFacets(a: Atom, b: Atom): number {
  const equal = Object.keys(a.facets).filter((name) => a.facets[name] === b.facets[name]);
  return equal.length - (equal.includes('cache') ? 0.5 : 0);
}

/** The text in which an instruction stands in front of words for a setting (translation.md 2.10). */
function ledBy(atom: Atom, ys: readonly Atom[]): Atom | undefined {
  const words = `${wordsOf(atom)}\n\n`;
  if (atom.place !== 'system') return undefined;
  return ys.find((out) => out.place === 'system' && wordsOf(out).startsWith(words));
}

/** A part that is gone, or stands in another form: with it goes whatever else may be said of it. */
function lost(atom: Atom, copies: ReadonlySet<string>): Diff[] {
  const features = atom.place === 'result' ? [...LOST[atom.kind], ...LOST.result] : LOST[atom.kind];
  // Blank instructions are neutral (translation.md 2.3).
  const isBlank = atom.place === 'system' && atom.kind === 'text' && wordsOf(atom).trim() === '';
  const silent = isBlank || copies.has(atom.ptr);
  return [
    diffAt(`${atom.kind} lost (${atom.base.slice(0, 60)})`, [atom.ptr, ...(atom.also ?? [])], features, silent),
    { what: 'what a lost part held', covers: (loss) => isUnder(loss.path, atom.ptr), silent: true },
  ];
}

function facetDiffs(
  a: Atom,
  b: Atom,
  x: CanonicalRequest,
  y: CanonicalRequest,
  pairs: Pairs,
  tools: ReadonlyMap<string, string[]>,
  heads: ReadonlyMap<string, string>,
): Diff[] {
  const diffs: Diff[] = [];
  for (const name of Object.keys(a.facets)) {
    const before = a.facets[name] ?? '';
    const after = b.facets[name] ?? '';
    if (before === after) continue;
    const ptrs = [a.ptr, ...(heads.has(a.ptr) ? [heads.get(a.ptr) ?? ''] : [])];
    if (a.kind === 'call') ptrs.push(...(tools.get(b.facets.alias ?? '') ?? []));
    if (a.kind === 'result') ptrs.push(...callPtrs(a, pairs, tools));
    if (name === 'citable') ptrs.push('/output');
    // Said of a message, of which the parts are held (translation.md 0.6).
    if (name === 'phase') ptrs.push(a.ptr.replace(/\/content(?:\/\d+)?$/, '/phase'));
    // The results of what came in pieces are one, and a computer that is gone is named where it was declared.
    const inPieces =
      name === 'isError' && callPtrs(a, pairs, tools).some((ptr) => heads.has(ptr) || isHead(ptr, heads));
    const gone = name === 'family' && before === 'computer' && isGone(x, y);
    const features = [...(CHANGED[name] ?? [])];
    if (name === 'detail' && x.mediaResolution !== undefined) {
      features.push('mediaResolution');
      ptrs.push('/mediaResolution');
    }
    diffs.push(diffAt(`${a.kind} ${name} ${before} -> ${after}`, ptrs, features, inPieces || gone));
  }
  // Levels of detail have the same words and other meanings (translation.md 2.6).
  if (a.facets.detail !== undefined && a.facets.detail !== '')
    diffs.push(diffAt('detail', [a.ptr], ['part.media.detail'], true));
  // Code that a service ran is told as a run of the target's own service, under its ids.
  if (a.kind === 'hostedCall') diffs.push(diffAt('a hosted call', [a.ptr], ['hosted.call'], true));
  return diffs;
}

function isHead(ptr: string, heads: ReadonlyMap<string, string>): boolean {
  return [...heads.values()].includes(ptr);
}

/** Whether a computer was declared and is not any more. */
function isGone(x: CanonicalRequest, y: CanonicalRequest): boolean {
  const declares = (request: CanonicalRequest): boolean =>
    clientTools(request).some(({ family }) => family === 'computer');
  return declares(x) && !declares(y);
}

/** What is said of a call holds of its result. */
function callPtrs(atom: Atom, { callOf }: Pairs, tools: ReadonlyMap<string, string[]>): string[] {
  for (const [result, call] of callOf) {
    if (result.src?.ptr === atom.ptr) return [call.src?.ptr ?? '', ...[...tools.values()].flat()];
  }
  return [];
}

/** Where the tools stand that `target` knows by a name. */
function toolPtrs(x: CanonicalRequest, route: Route): Map<string, string[]> {
  const added = x.turns.flatMap((turn) => turn.parts.flatMap((part) => (part.kind === 'toolChange' ? part.added : [])));
  const found = new Map<string, string[]>();
  for (const tool of [...x.tools, ...added]) {
    if (tool.kind !== 'function' && tool.kind !== 'custom' && tool.kind !== 'client') continue;
    const name =
      tool.kind === 'client'
        ? toolKey(route, deedName(groupOf(tool.family, tool.name)))
        : toolKey(route, tool.name, tool.namespace);
    found.set(name, [...(found.get(name) ?? []), tool.src?.ptr ?? '']);
  }
  return found;
}

/** Thoughts without state in front of a part with a carrier show what the carrier holds (translation.md 4.4). */
function shownCopies(x: CanonicalRequest): Set<string> {
  const found = new Set<string>();
  for (const { parts } of x.turns) {
    let shown: string[] = [];
    for (const part of parts) {
      // An empty text between them parts nothing.
      if (part.kind === 'text' && part.text === '' && part.carrier === undefined && part.state === undefined) continue;
      if (part.carrier !== undefined) for (const ptr of shown) found.add(ptr);
      const bare = part.kind === 'reasoning' && part.carrier === undefined && part.state === undefined;
      shown = bare ? [...shown, part.src?.ptr ?? ''] : [];
    }
  }
  return found;
}

function idOf({ callId }: CallPart): string {
  return callId.startsWith(BARE) ? '' : callId.replace(/_(\d+)$/, ' $1');
}

type Numbers = ReadonlyMap<CallPart, number>;

/** The same number for the same call in both. */
function numberCalls(x: Pairs, y: Pairs, route: Route): [Numbers, Numbers] {
  const pairs = align(x.calls, y.calls, (a, b) => {
    const sameName = toolKey(route, a.name, a.namespace) === toolKey({ target: route.target }, b.name, b.namespace);
    const sameArgs = argumentsOf(a) === argumentsOf(b);
    const cut = a.truncated === true && !has(route.via ?? route.target, 'callStatus');
    return sameName && !cut ? 4 + (sameArgs ? 3 : 0) + (idOf(a) === idOf(b) ? 3 : 0) : 0;
  });
  return [new Map(pairs.map(([call], index) => [call, index])), new Map(pairs.map(([, call], index) => [call, index]))];
}
