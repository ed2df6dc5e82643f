import type { CalledHost, DialectId, HostEndpoint, HostRow } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';
import type { Cloud } from '../ground/plain/index.js';

/** What a host has of one dialect, as the gateway calls it. */
export interface Endpoint extends HostEndpoint {
  readonly auth?: KeyForm | Cloud;
  readonly counts?: DialectId;
}

/** A host, as it is called. */
export interface CalledPreset extends CalledHost {
  readonly endpoints: Readonly<Partial<Record<DialectId, Endpoint>>>;
  readonly auth: KeyForm | Cloud;
}

/** All that the gateway knows of a host. */
export type Preset = CalledPreset & HostRow;

/** The dialects of a host, in the order of its endpoints. Their names are not compared with the table of all dialects, which would come along. */
export function dialectsOf({ endpoints }: CalledPreset): readonly DialectId[] {
  return Object.keys(endpoints) as DialectId[];
}
