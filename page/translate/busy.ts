import { elements } from './elements.js';

const reasons = new Set<string>();

/** Says that the page works, until all that it works at is over. */
export function setBusy(reason: 'translating' | 'sending', busy: boolean): void {
  if (busy) reasons.add(reason);
  else reasons.delete(reason);
  elements.main.setAttribute('aria-busy', String(reasons.size > 0));
}
