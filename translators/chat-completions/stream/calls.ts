import type { Arguments, CallPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ServerFlags } from '../../target/server-words.js';
import { isBlank } from '../../wire/blank.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { createJsonScanner, type JsonScanner } from '../../wire/json-scan.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { callState, signatureIn } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { isWhole } from '../tools/calls.js';

/** What reading an answer knows of its server. */
export interface ReadContext {
  readonly losses: Losses;
  readonly domain: string;
  readonly flags: ServerFlags;
  /** The message comes at once. */
  readonly whole: boolean;
}

/** A call on its way. */
interface OpenCall {
  readonly ptr: string;
  /** The number of its part, once it was announced. */
  ix: number | undefined;
  id: string;
  name: string;
  custom: boolean;
  readonly text: TextBuffer;
  readonly scanner: JsonScanner;
  /** The brackets of its arguments are closed. */
  complete: boolean;
  ended: boolean;
  /** The keys beside what the model has fields for. */
  readonly extra: JsonObject;
}

/** The calls of an answer, found by id and by number without walking them. */
export interface CallTable {
  readonly byId: Map<string, OpenCall>;
  readonly byIndex: Map<string, OpenCall>;
  /** In their order. */
  readonly all: OpenCall[];
  /** Those that only wait for their names to be whole. */
  unannounced: OpenCall[];
  /** Those that are whole and have not ended. */
  whole: OpenCall[];
  last: OpenCall | undefined;
  /** One is whole, so that the client has something to answer. */
  answerable: boolean;
}

/** A table without calls. */
export function createCallTable(): CallTable {
  return {
    byId: new Map(),
    byIndex: new Map(),
    all: [],
    unannounced: [],
    whole: [],
    last: undefined,
    answerable: false,
  };
}

/** Where the events of calls go. */
export interface CallSink {
  readonly context: ReadContext;
  readonly calls: CallTable;
  readonly carriers: Set<string>;
  emit: (event: CallEvent) => void;
  /** The number of a part that begins; what was open in front of it ends. */
  takeIx(): number;
}

type CallEvent =
  | { readonly type: 'part.start'; readonly ix: number; readonly part: CallPart }
  | { readonly type: 'part.delta'; readonly ix: number; readonly op: 'args' | 'freeform'; readonly value: string }
  | { readonly type: 'part.end'; readonly ix: number; readonly part: CallPart };

/** What one entry of `tool_calls` says. */
interface CallDelta {
  readonly id: string;
  readonly key: string | undefined;
  readonly name: string;
  /** '' where it says nothing of them. */
  readonly args: string;
  readonly custom: boolean;
  readonly node: JsonObject;
}

/** Adds an entry of `tool_calls`, of a delta or of a whole message. `choice` is the number of its choice. */
export function addCall(sink: CallSink, node: JsonObject, choice: number): void {
  const delta = readDelta(node, choice);
  if (delta.id === '' && delta.name === '' && delta.args === '' && delta.key === undefined) return;
  const { calls } = sink;
  // The entries of a whole message are a call each.
  const call = (sink.context.whole ? undefined : findCall(calls, delta)) ?? beginCall(sink, delta, choice);
  calls.last = call;
  if (delta.key !== undefined) calls.byIndex.set(delta.key, call);
  if (delta.id !== '' && call.id === '') {
    call.id = delta.id;
    calls.byId.set(delta.id, call);
  }
  if (call.ended) return;
  if (delta.name !== '' && call.ix === undefined) call.name = joinedName(call, delta.name);
  if (delta.custom && call.name === delta.name) call.custom = true;
  for (const key in delta.node) if (!READ.has(key)) call.extra[key] = delta.node[key];
  if (delta.node.extra_content !== undefined) dropRepeated(call, sink.carriers);
  // Some servers send the whole call once more.
  const isRepeated = delta.name !== '' && delta.args.length === call.text.length && delta.args === call.text.read();
  if (!isRepeated) addArguments(sink, call, delta.args);
}

/** A carrier that came in the other place already is not the state of its call once more. */
function dropRepeated({ extra }: OpenCall, carriers: Set<string>): void {
  const signature = signatureIn(extra.extra_content);
  if (signature === undefined || !isCarrier(signature)) return;
  if (carriers.has(signature)) delete extra.extra_content;
  carriers.add(signature);
}

/** Adds a call in the form of before there were several [H §4.5]. */
export function addLegacyCall(sink: CallSink, node: JsonObject, choice: number): void {
  const { name, arguments: args } = node;
  if ((name ?? '') === '' && (args ?? '') === '') return;
  addCall(sink, { index: -1, function: node }, choice);
}

const READ: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function', 'custom']);

function readDelta(node: JsonObject, choice: number): CallDelta {
  const fields = isObject(node.function) ? node.function : {};
  const custom = isObject(node.custom) ? node.custom : {};
  // One server fills both members, one of them with nothing.
  const isCustom = textOf(fields.name) === '' && isObject(node.custom) && textOf(fields.arguments) === '';
  const { id, index } = node;
  return {
    id: typeof id === 'string' ? id : '',
    key: typeof index === 'number' ? `${choice} ${index}` : undefined,
    name: textOf(isCustom ? custom.name : fields.name),
    args: textOf(isCustom ? custom.input : fields.arguments),
    custom: isCustom,
    node,
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? JSON.stringify(value) : '';
}

/** The call that an entry goes on with; undefined for the first of another (translation.md 6.1). */
function findCall(calls: CallTable, { id, key, name, args }: CallDelta): OpenCall | undefined {
  const numbered = key === undefined ? undefined : calls.byIndex.get(key);
  if (id !== '') {
    const known = calls.byId.get(id);
    if (known !== undefined) return known;
    if (name !== '') return numbered?.id === '' && !numbered.complete ? numbered : undefined;
  }
  const target = numbered ?? calls.last;
  if (target === undefined || name === '') return target;
  if (numbered === undefined && key !== undefined) return undefined;
  const isAnother = target.complete && (key === undefined || args !== '');
  return isAnother && !(target.name === name && target.text.length === args.length) ? undefined : target;
}

function beginCall(sink: CallSink, delta: CallDelta, choice: number): OpenCall {
  const { calls } = sink;
  const call: OpenCall = {
    ptr: `/choices/${choice}/message/tool_calls/${calls.all.length}`,
    ix: undefined,
    id: '',
    name: '',
    custom: delta.custom,
    text: createPackedBuffer(),
    scanner: createJsonScanner(),
    complete: false,
    ended: false,
    extra: {},
  };
  announceCalls(sink);
  calls.all.push(call);
  calls.unannounced.push(call);
  return call;
}

/** A name may come in pieces, or once more: whole, or longer than it was [H §7.3]. */
function joinedName(call: OpenCall, name: string): string {
  if (call.name === '' || name.startsWith(call.name)) return name;
  return call.text.length > 0 ? call.name : call.name + name;
}

function addArguments(sink: CallSink, call: OpenCall, args: string): void {
  if (args === '') return;
  call.text.add(args);
  if (!call.custom && !call.complete && call.scanner.scan(args, 0) !== -1) {
    call.complete = true;
    sink.calls.whole.push(call);
  }
  if (call.ix === undefined) announce(sink, call);
  else emitArguments(sink, call, args);
}

function emitArguments(sink: CallSink, call: OpenCall, value: string): void {
  if (call.ix !== undefined && value !== '')
    sink.emit({ type: 'part.delta', ix: call.ix, op: call.custom ? 'freeform' : 'args', value });
}

/** A call is announced when its name is known. */
function announce(sink: CallSink, call: OpenCall): void {
  if (call.ix !== undefined || call.name === '') return;
  call.ix = sink.takeIx();
  sink.emit({ type: 'part.start', ix: call.ix, part: partOf(sink, call, EMPTY) });
  emitArguments(sink, call, call.text.read());
}

const EMPTY: Arguments = { value: {} };

/**
 * Announces the calls of which the name is known: something else follows, so that the name is whole. It does not have to wait
 * for calls that are whole, which end.
 */
export function announceCalls(sink: CallSink): void {
  const { calls } = sink;
  for (const call of calls.unannounced) announce(sink, call);
  calls.unannounced = [];
  for (const call of calls.whole) if (call.ix !== undefined) endCall(sink, call, false);
  calls.whole = [];
}

/** Ends all calls. `cut`: the answer was cut, so that arguments may be incomplete. Those without a name are none. */
export function endCalls(sink: CallSink, cut: boolean): void {
  const { all } = sink.calls;
  const last = all.at(-1);
  for (const call of all) announce(sink, call);
  for (const call of all) {
    if (!call.ended)
      endCall(sink, call, cut && !isWhole(call.custom, call.complete, isBlank(call.text.read()), call === last));
  }
}

function endCall(sink: CallSink, call: OpenCall, truncated: boolean): void {
  call.ended = true;
  if (call.ix === undefined) return;
  sink.calls.answerable ||= !truncated;
  const part = partOf(sink, call, argumentsOf(call));
  const whole = call.custom ? { ...part, freeform: call.text.read() } : part;
  sink.emit({ type: 'part.end', ix: call.ix, part: truncated ? { ...whole, truncated } : whole });
}

function argumentsOf({ custom, text }: OpenCall): Arguments {
  const source = custom ? '' : text.read();
  return isBlank(source) ? EMPTY : { text: source };
}

function partOf({ context }: CallSink, call: OpenCall, args: Arguments): CallPart {
  const { extra_content, ...rest } = call.extra;
  const state = callState({ extra_content, function: { name: call.name } }, context);
  return {
    kind: 'call',
    callId: call.id,
    name: call.name,
    args,
    ...(call.custom && { freeform: '' }),
    ...(state !== undefined && { state: [state] }),
    ...(Object.keys(rest).length > 0 && { ext: { [DIALECT]: rest } }),
    src: { ptr: call.ptr },
  };
}
