import { type Copied, SDKS } from '../sdk/index.js';
import { Expression } from '../sdk/javascript.js';
import type { Place } from '../sdk/place.js';
import { javascriptOf } from '../sdk/values.js';

/** A program with the vendor's SDK that sends a request and prints what is said, which runs as a module of Node.js; undefined for a dialect without an SDK. */
export function javascriptFor(copied: Copied, place: Place): string | undefined {
  const sdk = SDKS[copied.dialect];
  if (sdk === undefined) return undefined;
  const { load, client, options, call, print, printEvent } = sdk.javascript;
  const told = place.own && sdk.knowsItsOwn ? '' : optionsText(options(place));
  const ask = call(copied);
  const lines = copied.stream
    ? [`const events = await ${ask};`, `for await (const event of events) {\n  ${printEvent}\n}`]
    : [`const answer = await ${ask};`, print];
  return `${[load, '', `const client = new ${client}(${told});`, ...lines].join('\n')}\n`;
}

function optionsText(options: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(options).map(([name, value]) => {
    if (value instanceof Expression) return `  ${name}: ${value.text},\n`;
    if (isHeaders(value)) return `  ${name}: { ${Object.entries(value).map(headerText).join(', ')} },\n`;
    return `  ${name}: ${javascriptOf(value, 1)},\n`;
  });
  return `{\n${members.join('')}}`;
}

const isHeaders = (value: unknown): value is Readonly<Record<string, Expression>> =>
  typeof value === 'object' && value !== null && Object.values(value).some((one) => one instanceof Expression);

const headerText = ([name, value]: readonly [string, Expression]): string => `'${name}': ${value.text}`;
