import type { DialectId } from '../../translators/index.js';
import { profileNameFault } from '../config/index.js';
import { matchesName } from '../ground/index.js';
import { type AtHost, HostError, atHost as knownAt } from '../protocol/index.js';
import { UsageError } from './command.js';

/**
 * What is known at the host that `--host` names, undefined = the vendor's own, with what `--profile` says. Throws UsageError for a
 * host that is none, or that is not known to speak the dialect, and for a profile that is none.
 */
export function atHost(dialect: DialectId, host: string | undefined, profile: string | undefined): AtHost {
  const fault = profile === undefined ? undefined : profileNameFault(profile, dialect);
  if (fault !== undefined) throw new UsageError(`--profile: ${profile} ${fault}`);
  try {
    return knownAt(dialect, host, profile);
  } catch (error) {
    throw error instanceof HostError ? new UsageError(`--host: ${error.message}`, error.unknown) : error;
  }
}

/** A value for the models that fit a pattern. */
export interface ForModels {
  readonly pattern: string;
  readonly value: string;
}

/** Reads an option that may be given several times, as `VALUE` for all models or as `PATTERN=VALUE` for some. */
export function readForModels(texts: readonly string[]): readonly ForModels[] {
  return texts.map((value) => {
    // The query of an address has signs of equality too.
    const [, pattern, own] = /^((?:(?!:\/\/)[^=?])+)=(.+)$/.exec(value) ?? [];
    return pattern === undefined || own === undefined ? { pattern: '*', value } : { pattern, value: own };
  });
}

/** The value for a model. An exact name is before a pattern, a longer pattern before a shorter one. */
export function valueFor(values: readonly ForModels[], model: string): string | undefined {
  const fitting = values.filter(({ pattern }) => matchesName(pattern, model));
  return fitting.toSorted((a, b) => rank(b) - rank(a))[0]?.value;
}

function rank({ pattern }: ForModels): number {
  return pattern.endsWith('*') ? pattern.length : Number.POSITIVE_INFINITY;
}
