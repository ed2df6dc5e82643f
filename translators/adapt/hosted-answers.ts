import type { HostedCallPart, HostedResultPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';

/** Reports what a hosted call of an answer asked that its client does not receive; `untold` names it. */
export function reportHostedCall(part: HostedCallPart, untold: readonly string[], losses: Losses): void {
  if (untold.length === 0) return;
  losses.add(part, 'hosted.call', 'approximated', `not sent as such: ${untold.join(', ')}`);
}

/** The same for what it brought. */
export function reportHostedResult(part: HostedResultPart, untold: readonly string[], losses: Losses): void {
  if (untold.length === 0) return;
  losses.add(part, 'hosted.output', 'approximated', `not sent as such: ${untold.join(', ')}`);
}

/** The keys of what a hosted call brought that are not empty and not among `told`. */
export function untoldKeys({ output }: HostedResultPart, told: readonly string[]): string[] {
  return Object.keys(output).filter((key) => !told.includes(key) && saysSomething(output[key]));
}

function saysSomething(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
