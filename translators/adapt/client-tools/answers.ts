import type { FamilyCall, Point } from '../../canonical/client-actions.js';
import type { CallPart, Part } from '../../canonical/content.js';
import type { EventSink, StreamEvent } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { ClientTool } from '../../canonical/tools.js';
import { isNamed } from '../../canonical/tools.js';
import { COMPUTER, type RenderedCall, readRawAction } from '../../target/client-tool-rules.js';
import type { AnswerRules, TargetRules } from '../../target/target.js';
import { isObject } from '../../wire/json.js';
import { parsedArguments } from '../arguments.js';
import { mintAnswerCallId } from '../ids.js';
import { DEFAULT_DISPLAY, type Display, declaredDisplay, pictured } from './display.js';
import { APPLY_PATCH, readPatch } from './patches.js';
import { pointerBehind, renderCall, reportRendered, splitId } from './render.js';
import { BASH, restarts, shellOf } from './shells.js';
import { declaredClientTools } from './substitute.js';

/** Gives the calls of an answer back as calls of the built-in tools that the client declared. */
export interface ClientToolAnswers {
  response(response: CanonicalResponse): CanonicalResponse;
  /** A stage in front of `next`; what it changes it holds until the call is whole. */
  stage(next: EventSink): EventSink;
}

/** What createClientToolAnswers needs to know. */
export interface ClientToolAnswersOptions {
  /** The client's own request. */
  readonly request: CanonicalRequest;
  readonly backend: TargetRules;
  readonly client: AnswerRules;
  readonly losses: Losses;
}

/** undefined when the client declared no built-in tool whose calls look different to the backend. */
export function createClientToolAnswers(options: ClientToolAnswersOptions): ClientToolAnswers | undefined {
  const { request, backend, client } = options;
  if (request.source === backend.dialect) return undefined;
  const declared = declaredClientTools(request);
  if (declared.length === 0) return undefined;
  const tools = declared.filter((tool) => tool.toolset !== true);
  const find = (family: ClientTool['family']): ClientTool | undefined => tools.find((tool) => tool.family === family);
  const computer = find('computer');
  const shell = find('shell') ?? find('localShell');
  const patch = find('patch');
  if (computer === undefined && shell === undefined && patch === undefined) return undefined;
  const functions = new Set(request.tools.filter(isNamed).map(({ name }) => name));
  const batches = client.clientTools.batches(computer?.type);
  const screen = computer === undefined ? undefined : createScreen(options, computer);

  /** The call as one of a built-in tool of the client; undefined when it is none. */
  const read = (part: CallPart): FamilyCall | undefined => {
    const { family } = part;
    if (part.truncated === true || part.namespace !== undefined) return undefined;
    if (family !== undefined) return computer === undefined ? undefined : { ...part, family };
    const args = argumentsOf(part);
    if (args === undefined) return undefined;
    if (shell !== undefined && part.name === BASH) {
      const kind = shell.family === 'shell' ? 'shell' : 'localShell';
      return shellOf(part, args, kind, shell.name ?? BASH);
    }
    if (patch !== undefined && part.name === APPLY_PATCH) {
      const operations = typeof args.input === 'string' ? readPatch(args.input) : undefined;
      return operations && { ...part, family: 'patch', freeform: undefined, args: { value: { operations } } };
    }
    if (computer === undefined || (functions.has(part.name) && part.name !== COMPUTER)) return undefined;
    const own = backend.clientTools.readComputer({ ...part, args: { value: args } });
    const value = own ?? (part.name === COMPUTER ? readRawAction(args) : undefined);
    return value && { ...part, family: 'computer', args: { value: { ...value } } };
  };

  /** Whether a call may be one of a built-in tool, by what is known when it begins. */
  const mayBe = (part: CallPart): boolean =>
    part.family !== undefined ||
    (shell !== undefined && part.name === BASH) ||
    (patch !== undefined && part.name === APPLY_PATCH) ||
    (computer !== undefined &&
      (part.name === COMPUTER ||
        (!functions.has(part.name) && backend.clientTools.readComputer({ ...part, args: PROBE }) !== undefined)));

  const restored = (part: CallPart, near: Near, responseId: string, ordinal: number): readonly CallPart[] => {
    const call = read(part);
    if (call === undefined) return [part];
    const { clientTools } = client;
    const own = clientTools.own[call.family] === call.family;
    const display = screen?.display ?? DEFAULT_DISPLAY;
    const pointer = near.pointer ?? (call.family === 'computer' ? screen?.pointer : undefined);
    const rendered = renderCall(call, clientTools, {
      own,
      display,
      near: pointer,
      batches,
      pictured: true,
      open: true,
    });
    if (call.family === 'computer') near.pointer = pointerBehind(call, pointer, clientTools.points, display);
    reportRendered(call, rendered, options.losses);
    reportRestart(part, call, options.losses);
    if (rendered.length === 0) return [part];
    const id = part.callId === '' ? mintAnswerCallId(responseId, ordinal, part.name) : part.callId;
    return rendered.map((one, place) =>
      answerCall(part, one, rendered.length === 1 ? part.callId : splitId(id, place, rendered.length), place),
    );
  };

  return {
    response(response) {
      const near: Near = { pointer: undefined };
      const parts = response.parts.flatMap((part, ordinal): readonly Part[] =>
        part.kind === 'call' ? restored(part, near, response.id, ordinal) : [part],
      );
      return { ...response, parts };
    },
    stage: (next) => createStage(next, mayBe, restored),
  };
}

interface Near {
  pointer: Point | undefined;
}

/** Arguments by which every function that takes a point is recognised by its name. */
const PROBE = { value: { x: 0, y: 0, destination_x: 0, destination_y: 0, action: '' } };

/** The arguments of a call as an object; undefined when its text holds none. */
function argumentsOf(part: CallPart): JsonObject | undefined {
  if (part.freeform !== undefined) return { input: part.freeform };
  const { text, value = {} } = part.args;
  const args = text === undefined ? value : parsedArguments({ args: { text } });
  return isObject(args) ? args : undefined;
}

/** What is known of the display from the request, looked up when it is first needed. */
function createScreen({ request, backend, client }: ClientToolAnswersOptions, tool: ClientTool) {
  let display: Display | undefined;
  let pointer: Point | undefined;
  let looked = false;
  const size = (): Display => {
    display ??=
      declaredDisplay(tool) ?? (backend.clientTools.tellsDisplay ? undefined : lastPicture(request)) ?? DEFAULT_DISPLAY;
    return display;
  };
  return {
    get display(): Display {
      return size();
    },
    get pointer(): Point | undefined {
      if (looked) return pointer;
      looked = true;
      for (const { parts } of request.turns) {
        for (const part of parts) {
          if (part.kind === 'call') pointer = pointerBehind(part, pointer, client.clientTools.points, size());
        }
      }
      return pointer;
    },
  };
}

function lastPicture(request: CanonicalRequest): Display | undefined {
  for (let place = request.turns.length - 1; place >= 0; place -= 1) {
    const size = pictured(request.turns[place]?.parts ?? []);
    if (size !== undefined) return size;
  }
  return undefined;
}

function answerCall(part: CallPart, rendered: RenderedCall, callId: string, place: number): CallPart {
  const { kind, id, item, ext, state, carrier } = part;
  const lead = place === 0 ? { id, ext, state, carrier } : {};
  return {
    kind,
    callId,
    name: rendered.name,
    args: { value: rendered.args },
    fixedName: true,
    ...(rendered.family !== undefined && { family: rendered.family }),
    item,
    src: { ptr: ptrOf(part) },
    ...lead,
  };
}

/** Of a fresh shell nothing can be restarted. */
function reportRestart(part: CallPart, { family }: FamilyCall, losses: Losses): void {
  if ((family !== 'shell' && family !== 'localShell') || !restarts(argumentsOf(part))) return;
  const detail = 'every command runs in a new shell; a restart has no effect';
  losses.add(part, 'call.family', 'approximated', detail);
}

type Restore = (part: CallPart, near: Near, responseId: string, ordinal: number) => readonly CallPart[];

/** Calls that may change are held until they are whole; what comes of them counts on from there. */
function createStage(next: EventSink, mayBe: (part: CallPart) => boolean, restored: Restore): EventSink {
  const held = new Set<number>();
  const near: Near = { pointer: undefined };
  let responseId = '';
  let shift = 0;
  return (event: StreamEvent) => {
    if (event.type === 'start') responseId = event.id;
    if (!('ix' in event)) {
      next(event);
    } else if (event.type === 'part.start' && event.part.kind === 'call' && mayBe(event.part)) {
      held.add(event.ix);
    } else if (!held.has(event.ix)) {
      next(shift > 0 ? { ...event, ix: event.ix + shift } : event);
    } else if (event.type === 'part.end' && event.part.kind === 'call') {
      const parts = restored(event.part, near, responseId, event.ix);
      parts.forEach((part, place) => {
        emitWhole(next, event.ix + shift + place, part);
      });
      shift += parts.length - 1;
    }
  };
}

function emitWhole(next: EventSink, ix: number, part: CallPart): void {
  const { freeform, args } = part;
  next({ type: 'part.start', ix, part: freeform === undefined ? part : { ...part, freeform: '' } });
  if (part.family === undefined) {
    if (freeform !== undefined) next({ type: 'part.delta', ix, op: 'freeform', value: freeform });
    else next({ type: 'part.delta', ix, op: 'args', value: args.text ?? JSON.stringify(args.value ?? {}) });
  }
  next({ type: 'part.end', ix, part });
}
