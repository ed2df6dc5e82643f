import { reportHostedCall, reportHostedResult, untoldKeys } from '../../../adapt/index.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import { TranslationError } from '../../../canonical/errors.js';
import type { Losses } from '../../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import type { SourceCollector } from '../../content/grounding.js';
import { DIALECT } from '../../nodes.js';
import { answers } from './answers.js';
import type { Shown } from './codec.js';
import { hostedCodecs } from './families.js';
import { foreignTools } from './foreign.js';

/** A hosted tool of another dialect as an entry of `tools`; undefined where the target has no such tool. */
export function encodeHostedTool(tool: HostedTool, context: EncodeRequestContext): JsonObject | undefined {
  const { containerId, fileIds = [] } = tool.settings;
  if (containerId !== undefined || fileIds.length > 0) {
    const message = 'containers and files of another service are unknown to this backend';
    throw new TranslationError('unsupported', message, { path: ptrOf(tool), dialect: DIALECT });
  }
  const word = context.target.toolTypes[tool.family];
  const encodeTool = foreignTools[tool.family];
  return word === undefined || encodeTool === undefined ? undefined : { [word]: encodeTool(tool, context) };
}

/** The settings of a tool of this dialect. */
export function ownHosted({ family, type, settings, ext }: HostedTool): JsonObject {
  const node: JsonObject = { ...ext?.generateContent };
  for (const [field, setting] of Object.entries(hostedCodecs[family]?.tools?.[type] ?? {})) {
    if (settings[setting] !== undefined) node[field] = settings[setting];
  }
  return node;
}

/** Adds what was read out of metadata to the metadata again. */
export function addDerived(part: HostedCallPart | HostedResultPart, sources: SourceCollector): void {
  const answer = answers[part.family];
  if (part.kind === 'hostedCall') answer?.encodeCall?.(part, sources);
  else answer?.encodeResult(part, undefined, sources);
}

/**
 * Encodes the hosted calls of another service's answer as parts, or adds them to the metadata, and reports what is not
 * shown of them. A fetch or a picture is shown by what it brought, so that a call without it is lost; `end` reports those.
 */
export interface HostedWriter {
  /** The part for a call or a result; undefined where it has none. */
  encode(part: HostedCallPart | HostedResultPart): JsonObject | undefined;
  end(): void;
}

/** What is known of the hosted calls of one answer. */
interface WriterState {
  readonly sources: SourceCollector;
  readonly losses: Losses;
  readonly calls: Map<string, HostedCallPart>;
  /** Calls that only their result can show. */
  readonly awaited: Map<string, HostedCallPart>;
  readonly lost: Set<string>;
}

/** A writer for one answer. */
export function createHostedWriter(sources: SourceCollector, losses: Losses): HostedWriter {
  const state: WriterState = { sources, losses, calls: new Map(), awaited: new Map(), lost: new Set() };
  return {
    encode(part) {
      const shown = part.kind === 'hostedCall' ? encodeCall(state, part) : encodeResult(state, part);
      return shown === 'metadata' ? undefined : shown;
    },
    end() {
      for (const call of state.awaited.values()) drop(state, call);
    },
  };
}

function drop({ losses, lost }: WriterState, call: HostedCallPart): undefined {
  losses.add(call, 'hosted.call', 'dropped', `a ${call.family} call cannot be shown here`);
  lost.add(call.callId);
}

function encodeCall(state: WriterState, call: HostedCallPart): Shown {
  state.calls.set(call.callId, call);
  const answer = answers[call.family];
  if (answer !== undefined && answer.encodeCall === undefined) {
    state.awaited.set(call.callId, call);
    return undefined;
  }
  const shown = answer?.encodeCall?.(call, state.sources);
  if (shown === undefined) return drop(state, call);
  reportCall(state, call, undefined);
  return shown;
}

function encodeResult(state: WriterState, result: HostedResultPart): Shown {
  if (state.lost.has(result.callId)) return undefined;
  const call = state.calls.get(result.callId);
  const answer = answers[result.family];
  if (answer === undefined || (answer.needsCall && call === undefined)) {
    state.losses.add(result, 'hosted.output', 'dropped', 'its call is not in the answer');
    return undefined;
  }
  const awaited = state.awaited.get(result.callId);
  state.awaited.delete(result.callId);
  const shown = answer.encodeResult(result, call, state.sources);
  if (shown === undefined) {
    if (awaited !== undefined) drop(state, awaited);
    return undefined;
  }
  if (awaited !== undefined) reportCall(state, awaited, result);
  const hidden = answer.hiddenOutput(result, result.isError === true);
  reportHostedResult(result, [...untoldKeys(result, answer.shownKeys), ...hidden], state.losses);
  return shown;
}

function reportCall({ losses }: WriterState, call: HostedCallPart, result: HostedResultPart | undefined): void {
  const cut = call.status === 'incomplete' ? ['the interruption of the call'] : [];
  const hidden = answers[call.family]?.hiddenInput?.(call, result) ?? [];
  reportHostedCall(call, [...cut, ...hidden], losses);
}
