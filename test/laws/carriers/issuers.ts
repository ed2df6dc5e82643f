import { bindingOf, REDACTED_BINDING } from '../../../src/simulator/rules/index.js';
import { content } from '../../support/wire/generate-content.js';
import { message } from '../../support/wire/messages.js';
import { response } from '../../support/wire/responses.js';
import { lawTableOf } from '../dialects/index.js';
import { saidIn } from '../said.js';
import type { Deed } from './deeds.js';
import type { Keeper } from './keeper.js';

export type Json = Record<string, unknown>;

/** One answer of a backend. */
export interface Issued {
  /** The nodes of the answer: blocks, items, parts. */
  readonly nodes: readonly Json[];
  /** The answer's body. */
  readonly body: Json;
  /** What of it the backend wants back, as it reads it. */
  readonly wanted: readonly Json[];
}

/** What one backend says. `serial` makes ids that occur once in a conversation. */
export type Issue = (deeds: readonly Deed[], keeper: Keeper, serial: string) => Issued;

/** Two tools, so that a call can be told from another. */
export function toolOf({ path }: Deed & { readonly kind: 'call' }): string {
  return path === 'a' ? 'look' : 'peek';
}

export const ISSUERS = lawTableOf('issue');

/** The kind of a deed, as the nodes of dialects are listed by. */
function kindOf(deed: Deed): string {
  return deed.kind === 'thought' ? deed.form : deed.kind === 'hosted' ? deed.of : deed.kind;
}

/** A deed in the nodes of a dialect, with the id that it has in its answer and with state where it has any. */
function nodesOf(
  dialect: 'messages' | 'responses' | 'generateContent',
  deed: Deed,
  id: string,
  state?: string,
): Json[] {
  return saidIn(dialect, kindOf(deed), {
    id: deed.kind === 'call' ? `call_${id}` : id,
    state,
    ...('text' in deed && { text: deed.text }),
    ...(deed.kind === 'call' && { name: toolOf(deed), args: { path: deed.path } }),
  });
}

export function issueMessage(given: readonly Deed[], keeper: Keeper, serial: string): Issued {
  // A model that thinks before it calls begins with that [M §3.27].
  const plain = given.some(({ kind }) => kind === 'call') && given[0]?.kind !== 'thought';
  const deeds = plain ? [{ kind: 'thought', text: 'First.', form: 'shown' } as const, ...given] : given;
  const stateOf = (deed: Deed): string | undefined => {
    if (deed.kind === 'thought') return keeper.issue(deed.form === 'shown' ? deed.text : REDACTED_BINDING);
    return deed.kind === 'hosted' && deed.of === 'search' ? keeper.issue('hit') : undefined;
  };
  // It draws no pictures: it says so.
  const words = (deed: Deed): Deed =>
    deed.kind === 'picture' ? { kind: 'text', text: 'It would be small and black.', signed: false } : deed;
  const nodes = deeds.flatMap((deed, index) => nodesOf('messages', words(deed), `${serial}_${index}`, stateOf(deed)));
  const stop_reason = nodes.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  return { nodes, body: message(nodes, { id: `msg_${serial}`, stop_reason }), wanted: nodes };
}

export function issueResponse(deeds: readonly Deed[], keeper: Keeper, serial: string): Issued {
  const nodes = deeds.flatMap((deed, index) => {
    const id = `${serial}_${index}`;
    if (deed.kind !== 'thought') return nodesOf('responses', deed, id);
    // Every thought has something behind it that it led to [R §3.4].
    const next = deeds[index + 1]?.kind;
    const leads = next !== undefined && next !== 'thought' && next !== 'sign';
    return leads ? nodesOf('responses', deed, id, keeper.issue(`rs_${id}`)) : [];
  });
  return { nodes, body: response(nodes, { id: `resp_${serial}` }), wanted: nodes.map(wantedItem) };
}

/** An item as it is sent back: without its id where it would be looked up, and a message reduced to its words. */
function wantedItem(item: Json): Json {
  const { id: _id, status: _status, ...rest } = item;
  switch (item.type) {
    case 'reasoning':
    case 'function_call':
      return rest;
    case 'message': {
      const content = (item.content as Json[]).map(({ text }) => ({ type: 'output_text', text, annotations: [] }));
      return { type: 'message', role: 'assistant', content };
    }
    default:
      return item;
  }
}

export function issueContent(deeds: readonly Deed[], keeper: Keeper, serial: string): Issued {
  let called = false;
  const nodes = deeds.flatMap((deed, index) => {
    const id = `${serial}_${index}`;
    if (deed.kind === 'thought') return nodesOf('generateContent', deed, id);
    if (deed.kind !== 'call') {
      const signed = deed.kind !== 'text' || deed.signed;
      return nodesOf('generateContent', deed, id, signed ? keeper.issue('text') : undefined);
    }
    // The first call of a step is signed, others may be ([G §4] signature rules).
    const signed = deed.signed || !called;
    called = true;
    const [bare = {}] = nodesOf('generateContent', deed, id);
    return nodesOf('generateContent', deed, id, signed ? keeper.issue(bindingOf(bare)) : undefined);
  });
  const body = content(nodes, grounding(nodes), { responseId: `r_${serial}` });
  return { nodes, body, wanted: nodes.filter(({ thought }) => thought !== true) };
}

/** Sources for the middle of the last text: clients that are shown them get it in pieces (translation.md 5.5). */
function grounding(nodes: readonly Json[]): Json {
  const last = nodes.at(-1);
  const text = typeof last?.text === 'string' && last.thought !== true ? last.text : '';
  const words = text.split(' ');
  const cited = words[1];
  if (cited === undefined) return {};
  const startIndex = Buffer.byteLength(`${words[0]} `);
  const endIndex = startIndex + Buffer.byteLength(cited);
  const segment = { partIndex: nodes.length - 1, startIndex, endIndex, text: cited };
  return {
    groundingMetadata: {
      groundingChunks: [{ web: { uri: 'https://e.x/', title: 'E' } }],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    },
  };
}
