import type { z } from 'zod';
import { fromZodPath } from './pointer.js';

type Issue = z.core.$ZodIssue;

/** Where a value departs from its schema first, and how, in words. No part of the value is repeated. */
export interface SchemaFault {
  /** JSON Pointer from the value that was checked. */
  readonly path: string;
  readonly reason: string;
}

/** The first fault of a failed check; of a union's branches, the one that was most likely meant. */
export function firstFault(issues: readonly Issue[]): SchemaFault {
  const issue = issues[0];
  if (issue === undefined) return { path: '', reason: 'malformed' };
  const path = fromZodPath(issue.path);
  if (issue.code !== 'invalid_union') return { path, reason: inWords(issue.message) };
  const branch = likeliest(issue.errors);
  if (branch === undefined || branch[0]?.path.length === 0) return { path, reason: unionInWords(issue.errors) };
  const inner = firstFault(branch);
  return { path: path + inner.path, reason: inner.reason };
}

/** The branch whose first fault lies deepest. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  let best: readonly Issue[] | undefined;
  for (const branch of branches) {
    if (best === undefined || (branch[0]?.path.length ?? 0) > (best[0]?.path.length ?? 0)) best = branch;
  }
  return best;
}

/** `expected string, received undefined` of every branch becomes one sentence. */
function unionInWords(branches: readonly (readonly Issue[])[]): string {
  const reasons = branches.map((branch) => inWords(branch[0]?.message ?? ''));
  if (reasons.includes(REQUIRED)) return REQUIRED;
  const kinds = reasons.map((reason) => /^expected (.+?)(?:, received .*)?$/.exec(reason)?.[1]);
  const known = [...new Set(kinds.filter((kind) => kind !== undefined))];
  return known.length === 0 ? 'malformed' : `expected ${known.join(' or ')}`;
}

const REQUIRED = 'field required';

function inWords(message: string): string {
  if (message.endsWith('received undefined')) return REQUIRED;
  return message.replace(/^Invalid input: /, '').replace(/^Too (?:small|big): /, '');
}
