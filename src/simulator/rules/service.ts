import type { JsonObject } from './json.js';
import type { StateKeeper } from './state.js';
import type { Violation } from './violation.js';

/** A request for the service of a dialect, with what is known of it beside its body. */
export interface ServiceRequest {
  readonly body: unknown;
  /** One that the service is not known to have takes what any of its models takes. */
  readonly model?: string;
  /** It goes to the enterprise host of the service. */
  readonly cloud?: boolean;
  /** The version of the protocol that its header names, where the dialect has one; default the usual one. */
  readonly version?: string;
  /** The features that its header names; absent = the header is not known, and named what is needed. */
  readonly betas?: readonly string[];
}

/** What the service of a dialect refuses in a request; opaque state and answers that it issued are believed. */
export type ServiceCheck = (request: ServiceRequest & { readonly body: JsonObject }) => readonly Violation[];

/** Believes all state. */
export const TRUSTED: StateKeeper = { issue: (binding) => binding, check: () => 'valid' };
