import type { HostFeature } from '../../translators/index.js';
import type { Case } from './cases.js';
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

/** What the client of an endpoint got of the server itself. */
export interface Direct {
  readonly asked: Case;
  readonly outcome: Outcome;
}

/**
 * Where a server is not as its host record says: of the features that cases show, those that the record lists although every
 * such case is as it should be directly, and the cases that are not although it lists none of their features.
 */
export function recordDifferences(unsupported: readonly HostFeature[], direct: readonly Direct[]): string[] {
  const shown = direct.filter(({ asked: { shows = [] } }) => shows.length > 0);
  const listed = unsupported.flatMap((feature) => {
    const of = shown.filter(({ asked }) => asked.shows?.includes(feature));
    const holds = of.length > 0 && of.every(({ outcome }) => outcome.fault === undefined);
    return holds ? [`${feature} is listed as unsupported, and the server does it: ${namesOf(of)}`] : [];
  });
  const missing = shown.flatMap(({ asked: { name, shows = [] }, outcome: { fault } }) =>
    fault === undefined || shows.some((feature) => unsupported.includes(feature))
      ? []
      : [`${shows.join(' or ')} is not listed as unsupported, and the server does not do it: ${name}, ${fault}`],
  );
  return [...listed, ...missing];
}

const namesOf = (direct: readonly Direct[]): string => direct.map(({ asked }) => asked.name).join('; ');
