import { Failure } from '../ground/plain/index.js';
import { patternFault } from './loss-pattern.js';

/** What becomes of losses. */
export interface LossPolicy {
  readonly policy: 'report' | 'strict';
  /** Features that may be lost under `strict`; a trailing `*` matches a family, `agents` what coding agents can do without. */
  readonly allow: readonly string[];
}

/** `strict` or `report` with one parameter, a string or token of RFC 8941. */
const FORM = /^\s*(strict|report)\s*(?:;\s*allow\s*=\s*(?:"([^"]*)"|([\w.*-]+))\s*)?$/i;

/** The policy of one request: the configured one, changed by its `x-interlingua-losses` header (http.md#headers). */
export function lossPolicy(configured: LossPolicy, header: string | string[] | undefined): LossPolicy {
  if (header === undefined) return configured;
  const match = FORM.exec(String(header));
  if (match === null) {
    throw malformed(
      'the header x-interlingua-losses must be strict or report, with ;allow="feature ..." after it if need be',
    );
  }
  const [, policy = '', quoted, bare = ''] = match;
  const allow = (quoted ?? bare).split(/[\s,]+/).filter((feature) => feature !== '');
  for (const pattern of allow) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw malformed(`in the header x-interlingua-losses ${fault}`);
  }
  return {
    policy: policy.toLowerCase() === 'strict' ? 'strict' : 'report',
    allow: [...configured.allow, ...allow],
  };
}

function malformed(message: string): Failure {
  return new Failure({ kind: 'invalid_request', message, path: '/$headers/x-interlingua-losses' });
}
