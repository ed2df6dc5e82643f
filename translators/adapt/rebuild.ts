import type { OpaquePart, Part, TextPart } from '../canonical/content.js';
import { ptrOf } from '../canonical/node.js';
import type { StateEntry } from '../canonical/state.js';
import type { HostedFamily } from '../canonical/tools.js';
import type { TargetRules } from '../target/target.js';
import { isObject, type JsonObject, parseJson } from '../wire/json.js';
import type { Adaptation } from './adaptation.js';
import type { Names } from './names.js';
import { isPictureLink } from './picture-link.js';

/** What restoring needs to know. */
export type Restoring = Pick<Adaptation, 'rules' | 'budget' | 'opened' | 'seen'> & {
  readonly context: Pick<Adaptation['context'], 'domain' | 'losses'>;
  readonly names: Pick<Names, 'alias'>;
};

/** What the entries of one part become: nodes for their place, signatures for a part that follows. */
export function* rebuild(
  entries: readonly StateEntry[],
  part: Part,
  out: Part[],
  { rules, seen, context: { losses } }: Restoring,
): Generator<Part | StateEntry> {
  const ptr = ptrOf(part);
  const fresh = entries.filter((entry) => isFresh(entry, seen));
  if (fresh.length < entries.length) {
    losses.add(part, 'reasoning.state', 'dropped', 'the same state was sent twice');
  }
  const opened = fresh.map((entry) => ({ entry, nodes: isNodeKind(entry) ? nodesOf(entry, rules) : [] }));
  const families = opened.flatMap(({ entry, nodes: [first] }) =>
    entry.kind === 'hosted' && first !== undefined ? [rules.hostedFamily(first)] : [],
  );
  if (families.length > 0) removeShownHosted(out, families);
  for (const { entry, nodes } of opened) {
    if (entry.kind === 'signature') {
      if (entry.on === 'empty') yield emptySigned(entry, ptr);
      else yield entry;
      continue;
    }
    if (!isNodeKind(entry)) continue;
    if (nodes.length === 0) losses.add(part, 'reasoning.state', 'dropped', 'the carrier holds no node of its kind');
    for (const raw of nodes) {
      yield {
        kind: 'opaque',
        dialect: rules.dialect,
        type: typeof raw.type === 'string' ? raw.type : '',
        raw,
        restored: isCompaction(raw) ? 'hosted' : entry.kind,
        src: { ptr },
      } satisfies OpaquePart;
    }
  }
}

type NodeEntry = StateEntry & { readonly kind: 'reasoning' | 'hosted' };

function isNodeKind(entry: StateEntry): entry is NodeEntry {
  return entry.kind === 'reasoning' || entry.kind === 'hosted';
}

/** Two dialects have compactions, by one name. */
function isCompaction({ type }: JsonObject): boolean {
  return type === 'compaction';
}

/** State is issued once for one place: clients that repeat it, or its turn, do not repeat what was thought. */
function isFresh({ payload }: StateEntry, seen: Set<string>): boolean {
  if (payload === '') return true;
  if (seen.has(payload)) return false;
  seen.add(payload);
  return true;
}

/** Whether a rebuilt value is a signature that waits for its part. */
export function isEntry(value: Part | StateEntry): value is StateEntry {
  return 'payload' in value;
}

function emptySigned(entry: StateEntry, ptr: string): TextPart {
  return { kind: 'text', text: '', state: [entry], src: { ptr } };
}

function nodesOf(entry: NodeEntry, rules: TargetRules): JsonObject[] {
  const parsed = parseJson(entry.payload);
  if (!parsed.ok) return [];
  const given = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  const nodes = given.filter(isObject);
  return nodes.length === given.length && rules.isState(entry.kind, nodes) ? nodes : [];
}

/**
 * Takes the hosted calls with their results away that were shown in place of what comes back: of the run at the end, for
 * every call the last of its family. Others in it, such as searches that were reported, were shown for nothing that comes back.
 * A call for a picture was shown as that picture where there are no such calls.
 */
function removeShownHosted(out: Part[], families: readonly (HostedFamily | undefined)[]): void {
  const start = out.findLastIndex((part) => !isHosted(part) && !isShownPicture(part)) + 1;
  for (const family of families.toReversed()) {
    const place = out.findLastIndex((part, index) => index >= start && shows(part, family));
    const shown = out[place];
    if (shown === undefined) continue;
    const behind = out[place + 1];
    const paired = shown.kind === 'hostedCall' && behind?.kind === 'hostedResult' && behind.callId === shown.callId;
    out.splice(place, paired ? 2 : 1);
  }
}

function isHosted(part: Part): boolean {
  return part.kind === 'hostedCall' || part.kind === 'hostedResult';
}

function isShownPicture(part: Part): boolean {
  return (part.kind === 'media' && part.class === 'image') || (part.kind === 'text' && isPictureLink(part.text));
}

function shows(part: Part, family: HostedFamily | undefined): boolean {
  if (part.kind === 'hostedCall') return shownFamily(part.family) === shownFamily(family);
  return family === 'imageGen' && isShownPicture(part);
}

/** One dialect shows the reading of a page as a search. */
function shownFamily(family: HostedFamily | undefined): HostedFamily | undefined {
  return family === 'urlFetch' ? 'webSearch' : family;
}
