import { type DialectId, dialectIds, type HostDoor, type HostRow } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';
import type { Cloud } from '../ground/plain/index.js';

/** What a host has of one dialect, as the gateway calls it. */
export interface Door extends HostDoor {
  readonly auth?: KeyForm | Cloud;
  readonly counts?: DialectId;
}

/** A host, as the gateway calls it. */
export interface Preset extends HostRow {
  readonly doors: Readonly<Partial<Record<DialectId, Door>>>;
  readonly auth: KeyForm | Cloud;
}

/** The dialects of a host, in the order of its doors. */
export function dialectsOf({ doors }: Preset): readonly DialectId[] {
  return Object.keys(doors).flatMap((id) => dialectIds.find((dialect) => dialect === id) ?? []);
}
