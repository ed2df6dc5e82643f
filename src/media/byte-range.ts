import type { IncomingHttpHeaders } from 'node:http';

/**
 * The headers with which a client asks for a part of a file, as they may go on. Anything but one range of bytes is left
 * out: the whole file is a right answer to it (media.md 4.5.4).
 */
export function rangeHeaders({ range, 'if-range': condition }: IncomingHttpHeaders): Record<string, string> {
  if (range === undefined || !/^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {};
  const usable = typeof condition === 'string' && /^[\x21-\x7e][\x20-\x7e]{0,200}$/.test(condition);
  return { range, ...(usable && { 'if-range': condition }) };
}

/** The part of a file of `size` bytes that a range asks for, the end exclusive; undefined when it holds none of it. */
export function partOf(range: string, size: number): { readonly start: number; readonly end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : undefined;
}
