import type { DialectId, HostFeature } from '../../translators/index.js';
import type { KeyForm, VideosForm } from '../dialects/index.js';
import type { Cloud } from '../ground/plain/index.js';
import type { PresetName } from '../presets/index.js';

/** The form of the credential that a backend gets. `client` sends the caller's own on; clouds have ways of their own. */
export type AuthForm = KeyForm | 'client' | Cloud;

/** A server of a dialect: what decides how it is spoken to. */
export interface Host {
  /** The host that it is known to be, because the configuration names it or by the name of its host. */
  readonly preset?: { readonly name: PresetName; readonly by: 'name' | 'host' };
  readonly dialect: DialectId;
  /** Service root without a trailing slash, below which the dialect has its paths; absent for the simulator. */
  readonly baseUrl?: string;
  readonly auth: AuthForm;
  /** Whose models it serves where its root says so: they are called by a path below the model, and by nothing else. */
  readonly publisher?: 'google' | 'anthropic';
  /** Protocol version of calls for which the client names none. */
  readonly version: string;
  /** Of its address, without the question mark: goes on each call. */
  readonly query?: string;
  /** The parameter of queries that tells a version at its host; where its address has a dated one, no path begins with one. */
  readonly apiVersion?: { readonly name: string; readonly dated: boolean };
  readonly headers: Readonly<Record<string, string>>;
  /** Which feature names of the client a relayed call keeps. */
  readonly betas: 'all' | 'none' | readonly string[];
  /** The format of its video tasks: that of `/v1/videos`, that of `/v1/video/generations`, long-running operations. */
  readonly videos: VideosForm;
  /** What its host has not of the dialect. */
  readonly unsupported: readonly HostFeature[];
  /** It is known to keep a conversation for the next request that goes on with it. */
  readonly threads: boolean;
  /** Backends of one domain can read each other's opaque state. */
  readonly domain: string;
}
