import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostedFamily } from '../../canonical/tools.js';
import type { FitHostContext } from '../../context.js';
import type { HostFeature } from '../../target/host-words.js';
import type { Changed, Places } from '../../wire/shared-copies.js';
import type { Names } from '../names.js';

/** A choice among the tools of a body, as the steps for hosts read and write it. */
export interface WireChoice {
  readonly mode: unknown;
  /** What names tools in it; absent where it names none. */
  readonly refs?: readonly unknown[];
  /** It is a list of allowed tools, in dialects that have such. */
  readonly isList?: boolean;
  /** Whether something in it names a tool of the body. */
  names?(ref: unknown, tool: JsonObject): boolean;
  /** Whether something in it may name one of the tools that are left; else as `names` has it. */
  stays?(ref: unknown, left: readonly JsonObject[]): boolean;
  /** The same choice without names. */
  bare?(): unknown;
  /** The same with these of its names. */
  only?(refs: readonly unknown[]): unknown;
}

/** Changes a node that is at `path` in the body as it came. */
export type Change = (node: JsonObject, path: string) => Changed;

/** What the steps for bodies that were encoded of requests of other dialects have to know of one. */
export interface EncodedForm {
  /** The choice among the tools; without a mode where it has none that can be read. */
  readChoice(choice: unknown): WireChoice;
}

/** How a dialect writes what its hosts may not support: all that steps which dialects share have to know of it. */
export interface HostForm extends EncodedForm {
  /** The member that holds the history. */
  readonly history: string;
  /** The member of a part that marks the end of a prefix to cache. */
  readonly mark: string;
  /** The family of a tool that the host may not have; undefined for functions. Throws `invalid_request` for one that cannot be read. */
  familyOfTool(tool: JsonObject, path: string): HostedFamily | 'client' | undefined;
  /** The family of a call that the service ran, or of what it brought. */
  familyOfCall(node: JsonObject): HostedFamily | undefined;
  /** The body with some of the nodes changed that may be such. */
  mapCalls(body: JsonObject, fitting: HostFitting, change: Change): JsonObject;
  /** The same with parts of its messages and of results. */
  mapParts(body: JsonObject, fitting: HostFitting, change: Change): JsonObject;
  /** Media as a part; undefined for all else, and for what is left to the host. Throws `invalid_request` as above. */
  readMedia(node: JsonObject, path: string, fitting: HostFitting): Part | undefined;
  writePart(part: Part): JsonObject;
}

/** How a host has tools that it does not know as they are. */
export interface Renamed {
  readonly names: Names;
  /** The host's names of tools with free text input, which are functions there. */
  readonly custom: ReadonlySet<string>;
}

/** What the steps of fitting one encoded body share. */
export interface EncodedFitting extends FitHostContext {
  readonly form: EncodedForm;
  readonly places: Places;
}

/** What the steps of fitting one body share. */
export interface HostFitting extends EncodedFitting {
  readonly form: HostForm;
  /** Set by the step that gives tools other names or types. */
  renamed?: Renamed;
}

/** Rewrites a body at the members of an unsupported feature, and shares all others: the very body where it holds nothing of it. */
export type HostStep<F = HostFitting> = (body: JsonObject, fitting: F) => JsonObject;

/** The same for a body that was encoded of a request of another dialect. */
export type EncodedStep = HostStep<EncodedFitting>;

/**
 * One step, and the unsupported features for which it is taken (once). A dialect has two lists: of steps that bodies need which were
 * encoded of requests of other dialects too, and of steps in front of these for its own bodies. Elsewhere encoders have flags of the
 * target.
 */
export type HostRow<S = HostStep> = readonly [unsupported: readonly HostFeature[], step: S];

export type EncodedRow = HostRow<EncodedStep>;
