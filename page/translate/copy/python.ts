import { type Copied, SDKS } from '../sdk/index.js';
import type { Place } from '../sdk/place.js';

/** A program with the vendor's SDK that sends a request and prints what is said; undefined for a dialect without one. */
export function pythonFor(copied: Copied, place: Place): string | undefined {
  const sdk = SDKS[copied.dialect];
  if (sdk === undefined) return undefined;
  const { load, client, options, call, print, printEvent } = sdk.python;
  const told = place.own && sdk.knowsItsOwn ? [] : options(place);
  const ask = call(copied);
  const lines = copied.stream ? [`for event in ${ask}:`, `    ${printEvent}`] : [`answer = ${ask}`, print];
  const needsSystem = told.some((option) => option.includes('os.environ'));
  const first = needsSystem ? ['import os', ''] : [];
  return `${[...first, load, '', `client = ${client}(${told.join(', ')})`, ...lines].join('\n')}\n`;
}
