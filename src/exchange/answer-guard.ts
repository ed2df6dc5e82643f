import type { Watcher } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import { Failure, type Redact, secretFinder } from '../ground/index.js';
import {
  type ByteTools,
  containsSecret,
  createLeakGuard,
  createOutputFilter,
  createRelayGuard,
  createTextFilter,
  guarded,
  type LeakGuard,
  type OutputFilter,
  type RelayGuard,
  type TextFilter,
} from '../guard/index.js';
import { LEAKED } from '../protocol/index.js';
import type { Stage } from './answer-storage.js';
import type { Attempt } from './attempt.js';

/** What keeps the secrets of a backend out of answers, for the backends of a gateway and the bytes of Node.js. */

export const BYTES: ByteTools = {
  latin1: (bytes, from, to) => asBuffer(bytes).toString('latin1', from, to),
  includes: (bytes, text) => asBuffer(bytes).includes(text),
};

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function relayGuardFor(watcher: Pick<Watcher, 'begun' | 'between'>, redact: Redact): RelayGuard {
  return createRelayGuard(watcher, redact, BYTES);
}

export function outputFilterFor(
  backend: BackendConfig,
  watcher: Pick<Watcher, 'between' | 'whole'>,
  stage: Pick<Stage, 'write'>,
  framing: 'sse' | 'array' = 'sse',
): OutputFilter {
  return createOutputFilter(secretFinder(backend), watcher, stage, framing, BYTES);
}

export function textFilterFor(backend: BackendConfig, framing: 'sse' | 'array'): TextFilter {
  return createTextFilter(secretFinder(backend), framing);
}

export function leakGuardFor(backend: BackendConfig): LeakGuard {
  return createLeakGuard(secretFinder(backend), BYTES);
}

/** A whole answer that is relayed: one with an error in it loses keys and hosts, every other passes as it is. */
export function withoutSecretsInErrors(bytes: Buffer, redact: Redact): Buffer {
  return asBuffer(guarded(bytes, redact, BYTES));
}

/** Whether a whole answer contains a secret with which its backend is called. `parsed` = its value, where that is at hand. */
export function containsSecretOf(backend: BackendConfig, answer: string | Buffer, parsed?: unknown): boolean {
  return containsSecret(
    secretFinder(backend),
    () => (typeof answer === 'string' ? answer : answer.toString('latin1')),
    parsed,
  );
}

/** The client's error in place of an answer, or of its rest, that holds a secret; it is logged for the operator. */
export function leakOf(
  { gateway, call, target }: Pick<Attempt, 'gateway' | 'call' | 'target'>,
  headers?: Record<string, string>,
): Failure {
  gateway.logger.error({ id: call.id, backend: target.backend.name }, LEAKED.message);
  return new Failure(LEAKED, { headers });
}
