import type { Outcome } from './exchange.js';

/**
 * How an exchange through the gateway differs from the direct one with the same endpoint, which its own client had without chance
 * in what the model says; in sentences. What the direct one cannot do may well succeed through the gateway.
 */
export function differencesOf(direct: Outcome, through: Outcome): string[] {
  if (direct.fault !== undefined) {
    const { message } = direct.error ?? {};
    const told = through.error === undefined || message === undefined || through.error.message.includes(message);
    return told ? [] : [`the server says "${message}", and the client gets "${through.error?.message}"`];
  }
  if (through.fault !== undefined) return [`directly it is as it should be: ${through.fault}`];
  const [one, other] = [direct.turn, through.turn];
  // Both are the error that they have to be.
  if (one === undefined || other === undefined) return [];
  return [
    differs('its text', one.text, other.text),
    differs('its thoughts', one.reasoning ?? '', other.reasoning ?? ''),
    differs('its calls', callsIn(one), callsIn(other)),
    differs('its end', endOf(one), endOf(other)),
    differs('tokens of the input', String(one.usage.input), String(other.usage.input)),
    differs('tokens of the output', String(one.usage.output), String(other.usage.output)),
  ].flat();
}

/** An end by a stop sequence is one of its own in one dialect only. */
const endOf = ({ finish }: NonNullable<Outcome['turn']>): string => (finish === 'stop' ? 'end' : finish);

function callsIn({ calls }: NonNullable<Outcome['turn']>): string {
  return calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join(', ');
}

function differs(what: string, direct: string, through: string): string[] {
  const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return direct === through ? [] : [`${what}: directly "${short(direct)}", here "${short(through)}"`];
}
