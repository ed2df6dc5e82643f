import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';
import type { TargetRules } from '../target/target.js';
import type { OpenedCarriers } from '../wire/carrier.js';
import type { Contents } from './contents.js';
import type { CallIds } from './ids.js';
import type { Names } from './names.js';

/** What the steps of one adaptation share. */
export interface Adaptation {
  readonly request: CanonicalRequest;
  readonly contents: Contents;
  readonly rules: TargetRules;
  readonly context: EncodeRequestContext;
  readonly names: Names;
  readonly ids: CallIds;
  /** Names, as the target has them, of tools whose arguments are under `value`. */
  readonly wrapped: ReadonlySet<string>;
  /** Bytes that carriers of this body may still inflate to (translation.md 4.2.5). */
  readonly budget: { left: number };
  /** The carriers of this body that were opened before, where several steps look at them. */
  readonly opened?: OpenedCarriers;
  /** Payloads of the state that was put back so far. */
  readonly seen: Set<string>;
}
