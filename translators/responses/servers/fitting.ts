import type { HostFitting, HostStep, Names } from '../../adapt/index.js';

/** What the steps of fitting one body share. */
export interface Fitting extends HostFitting {
  /** How the host has the tools, once some have other names or are of another type there. */
  renamed?: Renamed;
}

/** How a host has tools that it does not know as they are. */
export interface Renamed {
  readonly names: Names;
  /** The host's names of tools with free text input, which are functions there. */
  readonly custom: ReadonlySet<string>;
}

/** Rewrites a body at the members of one unsupported feature; shares all others. */
export type Fit = HostStep<Fitting>;
