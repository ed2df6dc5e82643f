import type { Recognised, Wrapping } from './index.js';

const PLACES: Readonly<Record<Wrapping, (entries: number) => string>> = {
  curl: () => 'out of a curl command',
  program: () => 'out of a program',
  object: () => 'written as a program writes it',
  har: (entries) => (entries > 1 ? `the first of a HAR file with ${entries} entries` : 'out of a HAR entry'),
  batch: (entries) => (entries > 1 ? `the first of a batch of ${entries}` : 'out of a batch file'),
  record: (entries) => (entries > 1 ? `the first of ${entries} lines` : 'out of a recorded exchange'),
};

/** What was recognised, in words; '' = nothing. */
export function sentenceOf({
  kind,
  dialect,
  model,
  client,
  betas,
  wrapping,
  entries = 1,
}: Omit<Recognised, 'said' | 'body'>): string {
  if (kind === undefined) return '';
  return [
    `a ${dialect === undefined ? kind : `${dialect} ${kind}`}`,
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(wrapping === undefined ? [] : [PLACES[wrapping](entries)]),
    ...(client === undefined ? [] : [`sent by ${client}`]),
    ...(betas.length === 0 ? [] : [`with the ${betas.length === 1 ? 'beta' : 'betas'} ${betas.join(', ')}`]),
  ].join(', ');
}
