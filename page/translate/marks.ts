import type { LossKind } from './library.js';
import type { Range } from './spans.js';

/** A stretch of a text that is shown as something. */
export interface Mark extends Range {
  /** What happened there; `current` is the event that was passed last, `fault` what a refusal is about. */
  readonly kind: LossKind | 'current' | 'fault';
  /** Nothing of the value is here: this is what would hold it. */
  readonly around?: boolean;
  /** Words shown when one points at it. */
  readonly title?: string;
}

/** Shows a text with its marks. Where several cover a place the shortest is seen, with the words of all. */
export function showMarked(element: HTMLElement, text: string, marks: readonly Mark[]): void {
  const held = marks.filter(({ start, end }) => end > start);
  const edges = [...new Set(held.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const opening = byEdge(held, ({ start }) => start);
  const closing = byEdge(held, ({ end }) => end);
  const active = new Set<Mark>();
  const nodes: Node[] = [document.createTextNode(text.slice(0, edges[0] ?? text.length))];
  edges.forEach((edge, index) => {
    for (const mark of closing.get(edge) ?? []) active.delete(mark);
    for (const mark of opening.get(edge) ?? []) active.add(mark);
    const piece = text.slice(edge, edges[index + 1] ?? text.length);
    if (piece !== '') nodes.push(active.size === 0 ? document.createTextNode(piece) : nodeOf(piece, [...active]));
  });
  element.replaceChildren(...nodes);
}

function byEdge(marks: readonly Mark[], edgeOf: (mark: Mark) => number): Map<number, Mark[]> {
  const found = new Map<number, Mark[]>();
  for (const mark of marks) {
    const edge = edgeOf(mark);
    const others = found.get(edge);
    if (others === undefined) found.set(edge, [mark]);
    else others.push(mark);
  }
  return found;
}

function nodeOf(text: string, marks: readonly Mark[]): Node {
  const byLength = marks.toSorted((a, b) => a.end - a.start - (b.end - b.start));
  const seen = byLength.find(({ kind }) => kind !== 'current');
  const isCurrent = marks.some(({ kind }) => kind === 'current');
  const node = document.createElement(seen === undefined ? 'span' : 'mark');
  node.classList.add(...(seen === undefined ? [] : [seen.kind, ...(seen.around === true ? ['around'] : [])]));
  if (isCurrent) node.classList.add('current');
  const titles = new Set(byLength.flatMap(({ title }) => title ?? []));
  if (titles.size > 0) node.title = [...titles].join('\n');
  // The white space that begins a line is no part of what is marked.
  for (const piece of text.split(/(\n\s*)/)) {
    if (piece.trim() === '') node.append(piece);
    else node.appendChild(document.createElement('span')).textContent = piece;
  }
  return node;
}
