import type { Loss } from '../../../../translators/index.js';
import type { Wire } from '../generate/values.js';
import { asObject, must } from './reading.js';

/** One event with the names it goes by, and comment blocks. */
export type Frame = { readonly type: string; readonly data: Wire } | { readonly losses: readonly Loss[] };

const LOSS = ': interlingua-loss ';

/**
 * Cuts a stream of the messages or responses dialect into its frames. Every event has exactly an `event:` and a `data:`
 * line of one name, ended by LF and a blank line ([M §5.1], [R §5.1]); comments stand in blocks of their own.
 */
export function framesIn(text: string): Frame[] {
  must(!text.includes('\r'), 'lines end in LF');
  if (text === '') return [];
  must(text.endsWith('\n\n'), 'the stream ends in a whole frame', text.slice(-80));
  const frames = text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => frameOf(block));
  const told = frames.filter((frame) => 'losses' in frame).length;
  must(told <= 1, 'losses are told in one comment block', told);
  return frames;
}

function frameOf(block: string): Frame {
  const lines = block.split('\n');
  if (block.startsWith(':')) {
    must(
      lines.every((line) => line.startsWith(LOSS)),
      'a comment block tells losses',
      block,
    );
    return { losses: lines.map((line) => JSON.parse(line.slice(LOSS.length)) as Loss) };
  }
  must(lines.length === 2, 'an event has two lines', block);
  const [first = '', second = ''] = lines;
  must(first.startsWith('event: ') && second.startsWith('data: '), 'an event has a name and data', block);
  const data = asObject(JSON.parse(second.slice('data: '.length)), 'data');
  const type = first.slice('event: '.length);
  must(data.type === type, 'event and data have one name', block);
  return { type, data };
}
