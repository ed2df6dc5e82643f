import { type ServiceCheck, TRUSTED } from '../service.js';
import type { Generation } from './limit-rules.js';
import { checkMessages } from './rules.js';
import { checkBetas } from './tool-rules.js';

export const messages: ServiceCheck = ({ body, model, version = '2023-06-01', betas }) => {
  const beta = betas === undefined || betas.length > 0;
  const generation = generationOf(model);
  const violations = checkMessages(body, { version, beta, generation, state: TRUSTED });
  return [...violations, ...(betas === undefined ? [] : checkBetas(body, betas.join(',')))];
};

/** The generation of one of the vendor's models, by the version in its name; a name without one is taken for the newest. */
function generationOf(model = ''): Generation {
  if (!model.startsWith('claude-')) return 'any';
  const [, major = '5', minor = '0'] = /-(\d)(?:[-.](\d)(?!\d))?(?!\d)/.exec(model) ?? [];
  const version = Number(major) * 10 + Number(minor);
  return NEWEST_OF.find(([, newest]) => version <= newest)?.[0] ?? (model.includes('haiku') ? '4.7' : '5.5');
}

/** The newest version of each generation; the small model of 5.5 is still as those before it. */
const NEWEST_OF: readonly (readonly [Generation, version: number])[] = [
  ['4.0', 40],
  ['4.5', 45],
  ['4.6', 46],
  ['4.7', 54],
];
