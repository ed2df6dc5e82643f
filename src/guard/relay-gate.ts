import type { CanonicalError, Watcher } from '../../translators/index.js';
import type { RelayGate } from '../call/index.js';
import { type ClientRedactor, Failure, type SecretFinder, withoutSecrets } from '../ground/plain/index.js';
import type { ByteTools } from './bytes.js';
import { createOutputFilter } from './output-filter.js';
import { beforeFailure, createRelayGuard } from './relay-guard.js';

/** What the bytes of a relayed stream pass so that no secret of the backend leaves. */
export interface GuardedRelay {
  readonly watcher: Watcher;
  readonly framing: 'sse' | 'array';
  readonly finder: SecretFinder;
  readonly redact: ClientRedactor;
  readonly bytes: ByteTools;
  /** Takes what may leave. */
  write(piece: Uint8Array): void;
  /** The error that the client gets in the place of a failure in the stream; undefined = its own words. `first` = nothing came before it. */
  report(error: CanonicalError, first: boolean): CanonicalError | undefined;
  /** The failure for a client whose answer holds a secret. */
  leak(): Failure;
}

/** Holds back what may be, or go on to, a secret. A secret in an error is taken out; with any other the answer ends. */
export function createGuardedGate(relay: GuardedRelay): Required<RelayGate> {
  const { watcher, framing, finder, redact, bytes } = relay;
  let refused: CanonicalError | undefined;
  const guard = createRelayGuard(
    watcher,
    (events) => {
      const { failure } = watcher;
      const before = failure && beforeFailure(events, failure, framing, bytes);
      if (failure === undefined || before === undefined) return redact(events);
      refused = relay.report(failure.error, before === '');
      return redact(refused === undefined ? events : before);
    },
    bytes,
  );
  const filter = createOutputFilter(finder, watcher, relay, framing, bytes);
  return {
    write: (chunk) => filter.write(guard.pass(chunk)),
    get closed() {
      return refused !== undefined || filter.leaked;
    },
    end() {
      if (refused === undefined && (watcher.whole || (watcher.between && watcher.begun))) filter.write(guard.rest());
      filter.flush();
      const leak = filter.leaked ? relay.leak() : undefined;
      if (refused !== undefined || (leak !== undefined && !filter.whole)) watcher.retract();
      return leak ?? (refused && new Failure(refused));
    },
    // What was cut out of an array cannot be reported in it.
    get between() {
      return filter.leaked ? filter.between && framing === 'sse' : watcher.between;
    },
    tell: (error) => withoutSecrets(error, redact),
  };
}
