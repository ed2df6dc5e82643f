import type { Loss } from '../../../../translators/index.js';
import type { Wire } from '../generate/values.js';

/** What a client of a dialect has at the end of a stream: exactly one of `final` and `error`. */
export interface Reading {
  /** The answer, put together as the dialect's official client does it. */
  readonly final?: Wire;
  /** The error object the stream ended in. */
  readonly error?: Wire;
  /** What comments told of losses. */
  readonly losses: readonly Loss[];
}

/** Stops the reading of a stream that breaks a rule of its dialect. */
export function must(holds: boolean, rule: string, seen?: unknown): asserts holds {
  if (!holds) throw new Error(`${rule}${seen === undefined ? '' : `: ${JSON.stringify(seen)}`}`);
}

export function asObject(value: unknown, what: string): Wire {
  must(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is an object`, value);
  return value as Wire;
}

export function asText(value: unknown, what: string): string {
  must(typeof value === 'string', `${what} is a string`, value);
  return value;
}

export function asList(value: unknown, what: string): readonly unknown[] {
  must(Array.isArray(value), `${what} is a list`, value);
  return value;
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
