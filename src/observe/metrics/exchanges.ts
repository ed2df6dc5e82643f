import { FEATURES } from '../../../translators/index.js';
import { type ClientCall, classOf } from '../../http/index.js';
import type { Observed } from '../observed.js';
import type { Instruments } from './instruments.js';

/** Counts an exchange that ended. */
export function countExchange(instruments: Instruments, gateway: Observed, call: ClientCall): void {
  const { record, key } = call;
  const { facts, status, outcome = '', ms = 0 } = record;
  const labels = labelsOf(gateway, call);
  const [client, dialect, backend, model] = labels;
  instruments.exchanges.add([client, dialect, backend, model, key?.name ?? '', classOf(status), outcome]);
  if (facts === undefined) return;
  instruments.duration.observe(labels, ms / 1000);
  if (facts.firstByteMs !== undefined) instruments.firstByte.observe(labels, facts.firstByteMs / 1000);
  countAnswer(instruments, call, labels);
}

/** Counts an answer that was made in the background. */
export function countMade(instruments: Instruments, gateway: Observed, call: ClientCall, status: string): void {
  const labels = labelsOf(gateway, call);
  const [, , backend, model] = labels;
  instruments.backgroundAnswers.add([backend, model, status]);
  countAnswer(instruments, call, labels);
}

type Labels = readonly [client: string, dialect: string, backend: string, model: string];

/** Labels whose values the configuration bounds: whatever clients send, there are no more of them. */
function labelsOf({ config, targets }: Observed, { dialect: client, record: { facts } }: ClientCall): Labels {
  const { backend, model } = facts ?? {};
  const known = backend !== undefined && Object.hasOwn(config.backends, backend) ? backend : undefined;
  return [client, facts?.dialect ?? '', known ?? '', model === undefined ? '' : (targets.nameOf(model) ?? '')];
}

/** A stream this short, in ms, came at once: it has no speed. */
const LEAST_MS = 5;

function countAnswer(instruments: Instruments, { record, key }: ClientCall, labels: Labels): void {
  const { facts, losses, lastTokenMs, error } = record;
  if (facts === undefined) return;
  const { inputTokens, outputTokens, firstTokenMs, cost } = facts;
  const [, , backend, model] = labels;
  const whose = key?.name ?? '';
  if (inputTokens !== undefined) instruments.tokens.add([backend, model, whose, 'input'], inputTokens);
  if (outputTokens !== undefined) instruments.tokens.add([backend, model, whose, 'output'], outputTokens);
  if (cost !== undefined) instruments.cost.add([whose, model], cost);
  if (firstTokenMs !== undefined) {
    instruments.firstToken.observe(labels, firstTokenMs / 1000);
    const ms = (lastTokenMs ?? 0) - firstTokenMs;
    if (outputTokens !== undefined && ms >= LEAST_MS && error === undefined) {
      instruments.rate.observe(labels, (outputTokens * 1000) / ms);
    }
  }
  for (const { feature, kind } of losses ?? []) {
    instruments.losses.add([Object.hasOwn(FEATURES, feature) ? feature : 'ext', kind]);
  }
}
