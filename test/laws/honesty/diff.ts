import type { DialectId, Loss } from '../../../translators/index.js';
import type { Target as ModelTarget } from '../../../translators/target/target.js';
import { names } from './json.js';

/** Something in which what came out differs from what went in, and which entries of a loss report may name it. */
export interface Diff {
  readonly what: string;
  /** `anywhere`: the entry's path belongs to another body and tells nothing here. */
  covers(loss: Loss, anywhere?: boolean): boolean;
  /** It carries no information (translation.md 0.8), or its row says `=`: it may be named, and need not be. */
  readonly silent?: boolean;
}

/** The dialect that a request went through on its way, and the model that it was for there. */
export interface Passage {
  readonly dialect: DialectId;
  readonly profile: ModelTarget;
}

/** Features whose entries are grouped, so that their path is that of the first case (translation.md 2.2). */
const GROUPED: ReadonlySet<string> = new Set(['cache.mark', 'cache.ttl', 'cache.auto']);

/** A difference at one of `ptrs`, to be named by one of `features`. */
export function diffAt(
  what: string,
  ptrs: readonly string[],
  features: readonly string[],
  silent: boolean | undefined = undefined,
): Diff {
  return {
    what: `${what} at ${ptrs.join(' or ')}, to be named ${features.join(' or ')}`,
    covers: (loss, anywhere = false) =>
      features.includes(loss.feature) &&
      (anywhere || GROUPED.has(loss.feature) || ptrs.some((ptr) => names(loss.path, ptr))),
    ...(silent === true && { silent }),
  };
}

/** Differences that no entry names. `elsewhere` are entries whose paths belong to another body. */
export function unnamed(diffs: readonly Diff[], losses: readonly Loss[], elsewhere: readonly Loss[] = []): string[] {
  return diffs
    .filter((diff) => diff.silent !== true)
    .filter((diff) => !losses.some((loss) => diff.covers(loss)) && !elsewhere.some((loss) => diff.covers(loss, true)))
    .map(({ what }) => `no entry names: ${what}`);
}

/** Entries that name no difference. */
export function idle(diffs: readonly Diff[], losses: readonly Loss[]): string[] {
  return losses
    .filter((loss) => !diffs.some((diff) => diff.covers(loss)))
    .map(({ path, feature, kind, detail }) => `nothing differs for: ${path} ${feature} ${kind} (${detail})`);
}
