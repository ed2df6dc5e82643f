import type { LossPolicy } from './config.js';
import { Failure } from './failure.js';

const FORM = /^\s*(strict|report)\s*(?:;\s*allow="([\w.* -]*)"\s*)?$/;

/** The policy of one request: the configured one, changed by its `x-interlingua-losses` header (contract.md 4). */
export function lossPolicy(configured: LossPolicy, header: string | string[] | undefined): LossPolicy {
  if (header === undefined) return configured;
  const match = FORM.exec(String(header));
  if (match === null) {
    throw new Failure({
      kind: 'invalid_request',
      message:
        'the header x-interlingua-losses must be strict or report, with ;allow="feature ..." after it if need be',
      path: '/$headers/x-interlingua-losses',
    });
  }
  const allow = (match[2] ?? '').split(' ').filter((feature) => feature !== '');
  return { policy: match[1] === 'strict' ? 'strict' : 'report', allow: [...configured.allow, ...allow] };
}
