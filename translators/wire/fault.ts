import type * as z from 'zod/mini';
import { fromZodPath } from './pointer.js';

type Issue = z.core.$ZodIssue;

/** Has a check say in words what is wrong: the schemas load no language, and the one of their package is larger. */
export const IN_WORDS = { error: reasonOf };

function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}, received ${kindOf(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_key':
      return `invalid key in ${issue.origin}`;
    case 'too_big':
      return `expected ${issue.origin} to ${boundOf(issue.origin)(`<${issue.inclusive ? '=' : ''}${issue.maximum}`)}`;
    case 'too_small':
      return `expected ${issue.origin} to ${boundOf(issue.origin)(`>${issue.inclusive ? '=' : ''}${issue.minimum}`)}`;
    default:
      return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

function boundOf(origin: string): (bound: string) => string {
  if (origin === 'string') return (bound) => `have ${bound} characters`;
  if (origin === 'array') return (bound) => `have ${bound} items`;
  return (bound) => `be ${bound}`;
}

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
  return message.endsWith('received undefined') ? REQUIRED : message;
}
