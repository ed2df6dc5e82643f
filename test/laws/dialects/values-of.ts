import fc from 'fast-check';
import { type Data, fill, readData } from '../../support/frames.js';
import { drawn } from '../drawn.js';
import { neutralIn } from '../neutral/record.js';
import type { LawDialect } from './record.js';

/** The members of a record that are values, or requests with a place for one. */
type Values = Pick<
  LawDialect,
  | 'traits'
  | 'neutralFields'
  | 'neutralKeys'
  | 'foreseenRefusals'
  | 'clientToolRequest'
  | 'clientToolRequests'
  | 'clientTools'
  | 'nameRules'
  | 'cloudModels'
  | 'stateModel'
  | 'heldSettings'
  | 'requestWithTool'
  | 'requestWithAnswer'
  | 'historyWith'
  | 'thoughtNode'
  | 'reasoningNode'
  | 'partsPath'
  | 'finishesAsErrors'
  | 'finishWords'
  | 'usageCounts'
  | 'serviceTiers'
  | 'telemetryKey'
  | 'relayedFailure'
  | 'trailer'
  | 'terminalFrames'
  | 'finishLine'
  | 'streamRequests'
  | 'errorBodies'
  | 'hostedCalls'
  | 'clientToolCalls'
  | 'stoppingRequest'
>;

/**
 * The members that stand in the data file of a dialect in this folder. There a pattern is its source, `null` a request of
 * which nothing is known, `@` in a turn of a history its place, and `as` the name under which a tool has its schema.
 */
export function valuesOf(dialect: string, file: string): Values {
  const data = readData(`laws/dialects/${file}`);
  const { legal, char, first, ...rules } = data.nameRules;
  const families = Object.entries<Data>(data.clientTools).map(([family, tools]) => [
    family,
    tools.map((tool: Data) => ({ kind: 'client', dialect, family, ...tool })),
  ]);
  return {
    ...data,
    ...neutralIn(file),
    traits: data.traits.flat(),
    clientToolRequest: data.clientToolRequests[0],
    clientTools: Object.fromEntries(families),
    nameRules: {
      ...rules,
      legal: new RegExp(legal),
      char: new RegExp(char),
      ...(first !== undefined && { first: new RegExp(first) }),
    },
    requestWithTool: (schema, held) => fill(data.requestWithTool.in, { [data.requestWithTool.as]: schema, ...held }),
    requestWithAnswer: (schema) => fill(data.requestWithAnswer, schema),
    historyWith: (carriers) =>
      fill(
        data.historyWith.in,
        carriers.flatMap((carrier, place) => turnsWith(carrier, place)),
      ),
    thoughtNode: (text) => fill(data.thoughtNode, text),
    relayedFailure: new RegExp(data.relayedFailure),
    terminalFrames: new RegExp(data.terminalFrames, 'gm'),
    finishLine: new RegExp(data.finishLine, 'm'),
    errorBodies: drawn({ any: data.errorBodies }),
    hostedCalls:
      data.hostedCalls && drawn({ any: data.hostedCalls }).map(({ error, ...told }: Data) => ({ ...told, ...error })),
    clientToolCalls: drawn({ any: data.clientToolCalls }),
    streamRequests: fc.constantFrom(...data.streamRequests.map((request: Data) => request ?? undefined)),
  };

  function turnsWith(carrier: string, place: number): readonly Data[] {
    return fill(JSON.parse(JSON.stringify(data.historyWith.each).replaceAll('@', String(place))), carrier);
  }
}
