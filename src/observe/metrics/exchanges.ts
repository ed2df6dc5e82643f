import { FEATURES } from '../../../translators/index.js';
import type { ClientCall } from '../../http/index.js';
import type { Observed } from '../observed.js';
import type { Instruments } from './instruments.js';

/** Counts an exchange that ended. */
export function countExchange(instruments: Instruments, gateway: Observed, call: ClientCall): void {
  const { record, gone, key, response } = call;
  const { facts } = record;
  const labels = labelsOf(gateway, call);
  instruments.exchanges.inc({
    ...labels,
    key: key?.name ?? '',
    status: response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : 'none',
    outcome: gone ? 'client_closed' : (record.error ?? 'ok'),
  });
  if (facts === undefined) return;
  instruments.duration.observe(labels, (performance.now() - call.startedAt) / 1000);
  if (facts.firstByteMs !== undefined) instruments.firstByte.observe(labels, facts.firstByteMs / 1000);
  countAnswer(instruments, call, labels);
}

/** Counts an answer that was made in the background. */
export function countMade(instruments: Instruments, gateway: Observed, call: ClientCall, status: string): void {
  const labels = labelsOf(gateway, call);
  const { backend, model } = labels;
  instruments.backgroundAnswers.inc({ backend, model, status });
  countAnswer(instruments, call, labels);
}

interface Labels {
  readonly client: string;
  readonly dialect: string;
  readonly backend: string;
  readonly model: string;
}

/** Labels whose values the configuration bounds: whatever clients send, there are no more of them. */
function labelsOf({ config, targets }: Observed, { dialect: client, record: { facts } }: ClientCall): Labels {
  const { backend, model } = facts ?? {};
  const known = backend !== undefined && Object.hasOwn(config.backends, backend) ? backend : undefined;
  return {
    client,
    dialect: facts?.dialect ?? '',
    backend: known ?? '',
    model: model === undefined ? '' : (targets.nameOf(model) ?? ''),
  };
}

/** A stream this short, in ms, came at once: it has no speed. */
const LEAST_MS = 5;

function countAnswer(instruments: Instruments, { record, key }: ClientCall, labels: Labels): void {
  const { facts, losses, lastTokenMs, error } = record;
  if (facts === undefined) return;
  const { inputTokens, outputTokens, firstTokenMs } = facts;
  const { backend, model } = labels;
  const whose = { backend, model, key: key?.name ?? '' };
  if (inputTokens !== undefined) instruments.tokens.inc({ ...whose, direction: 'input' }, inputTokens);
  if (outputTokens !== undefined) instruments.tokens.inc({ ...whose, direction: 'output' }, outputTokens);
  if (firstTokenMs !== undefined) {
    instruments.firstToken.observe(labels, firstTokenMs / 1000);
    const ms = (lastTokenMs ?? 0) - firstTokenMs;
    if (outputTokens !== undefined && ms >= LEAST_MS && error === undefined) {
      instruments.rate.observe(labels, (outputTokens * 1000) / ms);
    }
  }
  for (const { feature, kind } of losses ?? []) {
    instruments.losses.inc({ feature: Object.hasOwn(FEATURES, feature) ? feature : 'ext', kind });
  }
}
