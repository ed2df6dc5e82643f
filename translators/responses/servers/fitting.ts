import type { Names } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { FitHostContext } from '../../dialect.js';
import type { Places } from '../../wire/shared-copies.js';

/** What the steps of fitting one body share. */
export interface Fitting extends FitHostContext {
  readonly places: Places;
  /** The names under which the host has the tools, once some differ or stand for tools of another type. */
  names?: Names;
  /** The host's names of tools with free text input, which are functions there. */
  readonly custom: Set<string>;
}

/** Rewrites a body at the members that one lack is about; shares all others. */
export type Fit = (body: JsonObject, fitting: Fitting) => JsonObject;
