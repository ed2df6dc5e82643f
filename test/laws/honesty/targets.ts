import fc from 'fast-check';
import { dialects } from '../../../translators/dialects.js';
import { type DialectId, defaultDomain, dialectIds } from '../../../translators/index.js';
import type { Target as ModelTarget } from '../../../translators/target/target.js';
import type { Profile } from '../../../translators/target/words.js';
import { tableOf } from '../../support/dialects/index.js';
import { lawTableOf } from '../dialects/index.js';

/** A model on its host. */
export interface Target {
  readonly dialect: DialectId;
  readonly model: string;
  readonly host: 'dev' | 'cloud' | 'unknown';
}

const MODELS = tableOf('targets');

const CLOUD = lawTableOf('cloudModels');

/** The models that a law is tried on, each generation once. */
export function targetsOf(dialect: DialectId): readonly Target[] {
  const dev = MODELS[dialect].map((model): Target => ({ dialect, model, host: 'dev' }));
  return [...dev, ...CLOUD[dialect].map((model): Target => ({ dialect, model, host: 'cloud' }))];
}

/** A model that nobody knows, at a host that nobody knows; chat completions have a profile of their own for those. */
export function strangersOf(dialect: DialectId): readonly Target[] {
  return dialect === 'chatCompletions' ? [] : [{ dialect, model: 'house-model', host: 'unknown' }];
}

/** Whose state each service reads. */
export const DOMAINS = Object.fromEntries(dialectIds.map((id) => [id, defaultDomain(id)])) as Record<DialectId, string>;

/** What a host would have fetched for targets that take media inline only. */
export const FETCHED: ReadonlyMap<string, { readonly mime: string; readonly base64: string }> = new Map([
  ['https://example.org/a.png', { mime: 'image/png', base64: 'iVBORw0KGgo=' }],
  ['https://example.org/b.png', { mime: 'image/png', base64: 'iVBORw0KGgo=' }],
  ['https://example.org/c.pdf', { mime: 'application/pdf', base64: 'JVBERi0xLjQK' }],
]);

/** The flags that choose a target's profile. */
export function choiceOf({ model, host }: Target): Partial<Profile> & { readonly model: string } {
  return { model, ...(host === 'cloud' && { cloud: true }) };
}

/** What the target's model takes. */
export function profileOf(target: Target): ModelTarget {
  return dialects[target.dialect].target(target.model, choiceOf(target));
}

/** What hosts may wish besides (translation.md 0.10, 2.4, 2.11). */
export const wishes: fc.Arbitrary<{ omitMedia: boolean; seedUser: boolean; cutsStop: boolean }> = fc.record({
  omitMedia: fc.boolean(),
  seedUser: fc.boolean(),
  cutsStop: fc.boolean(),
});
