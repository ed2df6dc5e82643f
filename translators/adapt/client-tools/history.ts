import type { FamilyCall, Point } from '../../canonical/client-actions.js';
import type { CallPart, Part, ResultPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import { ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Turn } from '../../canonical/request.js';
import type { ClientFamily, ClientTool } from '../../canonical/tools.js';
import { isNamed } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../context.js';
import { type ClientToolRules, COMPUTER, type RenderedCall, readRawAction } from '../../target/client-tool-rules.js';
import type { TargetRules } from '../../target/target.js';
import { isObject } from '../../wire/json.js';
import { parsedArguments } from '../arguments.js';
import { DEFAULT_DISPLAY, type Display, declaredDisplay, pictured, showsDisplay } from './display.js';
import { createJoiner } from './join.js';
import { pointerBehind, type RenderOptions, renderCall, reportRendered, splitId, withoutIdleClick } from './render.js';
import { shellText } from './shells.js';
import { declaredClientTools, takenNames } from './substitute.js';

/** What a call became, for its result. */
interface Became {
  readonly rendered: readonly RenderedCall[];
  readonly call: FamilyCall;
  /** The id, which is that of the call unless another has one that begins so. */
  readonly base: string;
}

/** The turns of a request with the calls of built-in tools, and their results, in the words of the target. */
export function renderHistory(
  request: CanonicalRequest,
  rules: TargetRules,
  context: EncodeRequestContext,
): readonly Turn[] {
  const { losses, target } = context;
  const { clientTools } = rules;
  const declared = declaredClientTools(request);
  const tool = declared.find(isComputer);
  const families = new Set(declared.map(({ family }) => family));
  const shown = shownNames(request);
  const type = target.toolTypes.computer;
  // What is no call of the target's own computer stays one call for each action.
  const batches = type !== undefined && clientTools.batches(type);
  const results = resultsById(request);
  const became = new Map<string, Became>();
  const ids = new Set<string>();
  const joiner = createJoiner(joinedFamilies(clientTools, batches), results, losses);
  let seen: Display | undefined;
  let near: Point | undefined;

  const display = (): Display =>
    declaredDisplay(tool) ?? (clientTools.tellsDisplay ? undefined : seen) ?? DEFAULT_DISPLAY;

  const renderPart = (part: Part): readonly Part[] => {
    if (part.kind !== 'call' || part.family === undefined) return [part];
    const call: FamilyCall = { ...part, family: part.family };
    const own = clientTools.own[call.family];
    const options: RenderOptions = {
      own: own !== undefined && target.toolTypes[own] !== undefined,
      display: display(),
      near,
      batches,
      pictured: showsDisplay(results.get(call.callId)),
    };
    const idle = withoutIdleClick(call, near, clientTools.points, options.display);
    if (options.own) near = pointerBehind(call, near, clientTools.points, options.display);
    const rendered = part.truncated === true ? [] : renderCall(idle, clientTools, options);
    reportRendered(call, rendered, losses);
    if (rendered.length === 0) return [plain(part)];
    if (!families.has(call.family) && rendered.every((one) => one.family === undefined && one.poorer === undefined)) {
      const detail = `${call.family} call: no such tool is declared; sent as an ordinary call`;
      losses.add(part, 'call.family', 'moved', detail);
    }
    const base = freeId(call.callId, rendered.length, ids);
    became.set(call.callId, { rendered, call, base });
    return rendered.map((one, place) => {
      const id = splitId(base, place, rendered.length);
      ids.add(id);
      return callOf(part, one, id, place);
    });
  };

  const renderUserPart = (part: Part): readonly Part[] => {
    if (part.kind !== 'result') return [part];
    const result = joiner.result(part);
    if (result === undefined) return [];
    const from = became.get(result.callId);
    return from === undefined ? [result] : renderResult(result, from, losses);
  };

  return request.turns.map((turn) => {
    if (turn.role === 'assistant') {
      const known = turn.parts.map((part) => decodeShown(part, shown));
      const whole = joiner.calls(known);
      for (const part of whole) if (part.kind === 'call') ids.add(part.callId);
      return { ...turn, parts: whole.flatMap(renderPart) };
    }
    seen = pictured(turn.parts) ?? seen;
    return { ...turn, parts: turn.parts.flatMap(renderUserPart) };
  });
}

/** Families of which one call may hold what several calls of the client do. */
function joinedFamilies({ own }: ClientToolRules, batches: boolean): readonly ClientFamily[] {
  return [...(batches ? (['computer'] as const) : []), ...(own.patch === undefined ? (['patch'] as const) : [])];
}

function isComputer(tool: ClientTool): boolean {
  return tool.family === 'computer';
}

function resultsById(request: CanonicalRequest): Map<string, ResultPart> {
  const results = new Map<string, ResultPart>();
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      if (part.kind === 'result' && !results.has(part.callId)) results.set(part.callId, part);
    }
  }
  return results;
}

/** The names of built-in tools that are no functions of the client's. */
function shownNames(request: CanonicalRequest): ReadonlySet<string> {
  const names = new Set(takenNames(request));
  for (const tool of request.tools) if (isNamed(tool)) names.delete(tool.name);
  return names;
}

/** A call that we showed the client as one of a function, because its dialect has no words for it. */
function decodeShown(part: Part, names: ReadonlySet<string>): Part {
  if (part.kind !== 'call' || part.family !== undefined || !names.has(part.name)) return part;
  const value = part.name === COMPUTER ? parsedArguments(part) : undefined;
  const args = isObject(value) ? readRawAction(value) : undefined;
  if (args === undefined) return { ...part, fixedName: true };
  return { ...part, family: 'computer', args: { value: { ...args } } };
}

/** An id whose pieces nobody else has. */
function freeId(id: string, count: number, taken: ReadonlySet<string>): string {
  let base = id;
  const meets = (_: unknown, place: number): boolean => taken.has(splitId(base, place, count));
  while (count > 1 && Array.from({ length: count }).some(meets)) base += '_';
  return base;
}

/** A call that cannot be rendered any more: it goes by its name alone. */
function plain(part: CallPart): CallPart {
  return { ...part, family: undefined, fixedName: true, src: { ptr: ptrOf(part) } };
}

/** State and cache mark of a call stay with the first, and the last, of those it became. */
function callOf(part: CallPart, rendered: RenderedCall, callId: string, place: number): CallPart {
  const { kind, id, item, cache, ext, state, carrier } = part;
  const lead = place === 0 ? { ext, state, carrier } : {};
  return {
    kind,
    callId,
    name: rendered.name,
    args: { value: rendered.args },
    fixedName: part.family !== 'browser',
    ...(rendered.family !== undefined && { family: rendered.family }),
    id,
    item,
    cache,
    src: { ptr: ptrOf(part) },
    ...lead,
  };
}

/** The result of a call for each of those it became: the last has it, the others nothing. */
function renderResult(result: ResultPart, { rendered, call, base: id }: Became, losses: Losses): readonly ResultPart[] {
  const count = rendered.length;
  return rendered.map((one, place): ResultPart => {
    const { family: _family, custom: _custom, json: _json, ...rest } = result;
    const base = { ...rest, callId: splitId(id, place, count), name: one.name };
    if (place < count - 1) return { ...base, parts: [], isError: undefined };
    if (one.family !== undefined)
      return { ...base, family: one.family, ...(result.json !== undefined && { json: result.json }) };
    if (result.json === undefined) return base;
    if (call.family !== 'shell') return { ...base, json: result.json };
    losses.add(result, 'result.json', 'moved', 'the output of the commands is sent as text');
    return { ...shellText({ ...result, ...base }), family: undefined };
  });
}
