import type { CallPart, Part, ResultPart, TextPart } from '../../../translators/canonical/content.js';
import type { CanonicalRequest, Turn } from '../../../translators/canonical/request.js';
import type { DialectId } from '../../../translators/index.js';
import { readCarrierHeader } from '../../../translators/wire/carrier.js';
import { has } from '../dialects/index.js';
import { phaseOf } from '../phase.js';
import { stable } from './json.js';
import { type Route, toolKey } from './names.js';
import { argumentsOf, type Pairs } from './pairs.js';

/** Where an atom stands. */
export type Place = 'system' | 'user' | 'assistant' | 'result';

/**
 * One indivisible piece of a conversation. Atoms with equal `place` and `base` are the same thing; what may differ
 * between them are the facets, by the names of compare-conversation.ts. Facets that are absent are ''.
 */
export interface Atom {
  readonly ptr: string;
  readonly place: Place;
  readonly kind: Part['kind'] | 'json';
  readonly base: string;
  readonly facets: Readonly<Record<string, string>>;
  /** Pointers of parts with which it stands and falls. */
  readonly also?: readonly string[];
  /** The result it stands in. */
  readonly of?: string;
  /** It says nothing (translation.md 0.7). */
  readonly void?: boolean;
}

/** The words of an atom that is a text. */
export function wordsOf(atom: Atom): string {
  return atom.kind === 'text' || atom.kind === 'refusal' ? atom.base.slice(atom.kind.length + 1) : '';
}

/** Everything of a conversation, as a flat sequence. `numberOf` says which calls are the same in both conversations. */
export function atomsOf(
  request: CanonicalRequest,
  route: Route,
  domain: string,
  pairs: Pairs,
  numberOf: ReadonlyMap<CallPart, number>,
): Atom[] {
  const atoms: Atom[] = [];
  const reader: Reader = { route, target: route.target, domain, pairs, numberOf, atoms };
  for (const { authority, parts } of request.instructions)
    for (const part of parts) read(part, 'system', authority, reader);
  for (const turn of inOrder(request.turns)) {
    // What stands before the conversation and what stands in it are told apart by their order.
    const place = turn.role === 'instruction' ? 'system' : turn.role;
    for (const part of turn.parts) read(part, place, turn.role === 'instruction' ? turn.authority : undefined, reader);
  }
  return atoms;
}

/** Tools that are added before anybody has said anything stand behind all that the leading instructions say. */
function inOrder(turns: readonly Turn[]): readonly Turn[] {
  const end = turns.findIndex(({ role }) => role !== 'instruction');
  const leading = end < 0 ? turns : turns.slice(0, end);
  const adds = ({ parts }: Turn): boolean => parts.some(({ kind }) => kind === 'toolChange');
  return [...leading.filter((turn) => !adds(turn)), ...leading.filter(adds), ...turns.slice(leading.length)];
}

/** The line by which an agent is counted stays behind, and not what stands below it (translation.md 2.3). */
function withLineApart(text: string): readonly string[] {
  const end = text.startsWith('x-anthropic-billing-header:') ? text.indexOf('\n') : -1;
  return end < 0 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}

interface Reader {
  readonly route: Route;
  readonly target: DialectId;
  readonly domain: string;
  readonly pairs: Pairs;
  readonly numberOf: ReadonlyMap<CallPart, number>;
  readonly atoms: Atom[];
  readonly of?: string;
}

function read(part: Part, place: Place, authority: string | undefined, reader: Reader): void {
  const ptr = part.src?.ptr ?? '';
  const common = {
    cache: part.cache === undefined ? '' : `mark ${part.cache.ttl ?? '5m'}`,
    authority: authority ?? '',
    state: place === 'assistant' && part.kind !== 'reasoning' ? stateOf(part, reader) : '',
  };
  const isVoid = (part.kind === 'text' || part.kind === 'refusal') && part.text === '' && common.state === '';
  const add = (
    base: string,
    facets: Record<string, string> = {},
    kind: Atom['kind'] = part.kind,
    also?: string[],
  ): void => {
    reader.atoms.push({
      ptr,
      place,
      kind,
      base: `${kind} ${base}`,
      facets: { ...common, ...facets },
      ...(also && { also }),
      ...(isVoid && { void: true }),
      ...(reader.of !== undefined && { of: reader.of }),
    });
  };
  switch (part.kind) {
    case 'text':
      // Empty text without state says nothing (translation.md 0.7).
      for (const words of place === 'system' ? withLineApart(part.text) : [part.text])
        add(words, { phase: phaseOf(part) ?? '', citations: citationsOf(part) });
      return;
    case 'refusal':
      add(part.text, { phase: phaseOf(part) ?? '' });
      return;
    case 'media':
      if (
        [reader.target, reader.route.via].some((id) => id !== undefined && has(id, 'documents')) &&
        part.mime === 'text/plain' &&
        part.data.from === 'base64'
      ) {
        // A plain text is a document with its words in it (translation.md 2.6).
        const { title, filename, context, citable, data } = part;
        const name = title ?? filename;
        const words = Buffer.from(data.base64, 'base64').toString();
        add(
          stable({ title: name, context, citable: flag(citable), parts: [words] }),
          { detail: part.detail === 'auto' ? '' : (part.detail ?? ''), clip: stable(part.clip) },
          'textdoc',
        );
        return;
      }
      add(stable(part.data), {
        class: part.class === 'image' ? 'image' : 'file',
        // What an address leads to is told by its server.
        mime: part.data.from === 'base64' ? (part.mime ?? '') : '',
        // A document is called by its title in one dialect and by the name of its file in others (translation.md 2.6).
        label: part.filename ?? part.title ?? '',
        title: part.filename !== undefined && part.title !== part.filename ? (part.title ?? '') : '',
        context: part.context ?? '',
        citable: part.citable === true ? 'citable' : '',
        detail: part.detail === 'auto' ? '' : (part.detail ?? ''),
        clip: stable(part.clip),
      });
      return;
    case 'textdoc':
    case 'searchResult':
      add(stable(documentOf(part)));
      return;
    case 'call': {
      const { target } = reader;
      add(`${reader.numberOf.get(part) ?? ptr}`, {
        name: part.name,
        alias: toolKey(reader.route, part.name, part.namespace),
        namespace: has(target, 'namespaces') ? (part.namespace ?? '') : '',
        args: argumentsOf(part),
        freeform: part.freeform === undefined ? '' : `"${part.freeform}"`,
        truncated: part.truncated === true ? 'cut' : '',
        family: part.family ?? '',
        twice: reader.pairs.again.has(part) ? 'twice' : '',
      });
      return;
    }
    case 'result':
      readResult(part, add, reader);
      return;
    case 'reasoning': {
      const own = stateOf(part, reader);
      add(own === '' ? `foreign ${part.text.join('\n')} ${ptr}` : own);
      return;
    }
    case 'hostedCall':
      add(`${part.family} ${stable(part.input.code ?? part.input)}`);
      return;
    case 'hostedResult':
      add(`${part.family} ${stable(part.output.stdout ?? part.output)}`, {}, part.kind, callsOf(part.callId, reader));
      return;
    case 'toolChange':
      // Who says it is told by the dialect.
      add(part.added.map((tool) => toolKey(reader.route, 'name' in tool ? (tool.name ?? '') : '')).join(' '), {
        authority: '',
        removed: part.removed.join(' '),
      });
      return;
    case 'approval':
      add(`${part.role} ${part.approvalId} ${stable(part.fields)}`);
      return;
    default:
      add(stable({ ...part, src: undefined, ext: undefined, item: undefined }));
  }
}

function readResult(
  part: ResultPart,
  add: (base: string, facets?: Record<string, string>, kind?: Atom['kind']) => void,
  reader: Reader,
): void {
  const call = reader.pairs.callOf.get(part);
  const number = call === undefined ? undefined : reader.numberOf.get(call);
  add(`of ${number ?? part.src?.ptr}`, {
    isError: part.isError === true ? 'failed' : '',
    family: part.family ?? '',
  });
  if (part.json !== undefined) add(stable(part.json), { cache: '' }, 'json');
  const within = `${number ?? part.src?.ptr}`;
  for (const child of part.parts) read(child, 'result', undefined, { ...reader, of: within });
}

/** The hosted calls of an id: a result has no life of its own. */
function callsOf(callId: string, { atoms }: Reader): string[] {
  const last = atoms.findLast(({ kind }) => kind === 'hostedCall');
  return last === undefined || callId === '' ? [] : [last.ptr];
}

/** Opaque state of the target's own service, or that there is some which it cannot read. */
function stateOf(part: Part, { target, domain }: Reader): string {
  if (part.carrier !== undefined) {
    const header = readCarrierHeader(part.carrier);
    return header?.dialect === target && header.domain === domain ? `own ${target}` : '';
  }
  // Words that were thought are state where servers want them back (translation.md 4.1).
  const entry = part.state?.find(
    ({ dialect, kind }) => dialect === target && (kind !== 'none' || has(target, 'oneMessage')),
  );
  if (entry === undefined) return (part.state?.length ?? 0) > 0 && part.kind !== 'reasoning' ? 'foreign' : '';
  return entry.kind === 'signature' ? `signed ${entry.payload}` : `own ${target}`;
}

function citationsOf({ citations = [] }: TextPart): string {
  if (citations.length === 0) return '';
  return stable(
    citations.map(({ source, url, title, span, fileId, citedText, doc }) => ({
      source,
      url,
      title: title === '' ? undefined : title,
      span,
      fileId: fileId === '' ? undefined : fileId,
      citedText,
      doc,
    })),
  );
}

/** Not citable is what everything is that says nothing of it. */
function flag(citable: boolean | undefined): true | undefined {
  return citable === true ? true : undefined;
}

function documentOf(part: Part & { kind: 'textdoc' | 'searchResult' }): unknown {
  return {
    title: part.title,
    context: part.kind === 'textdoc' ? part.context : part.source,
    citable: flag(part.citable),
    parts: part.parts
      .filter((child) => child.kind !== 'text' || child.text !== '')
      .map((child) => (child.kind === 'text' ? child.text : stable(child.data))),
  };
}
