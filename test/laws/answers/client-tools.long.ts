import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CallPart } from '../../../translators/canonical/content.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import {
  type DialectId,
  decodeRequest,
  type JsonObject,
  type Loss,
  translateRequest,
  translateResponse,
} from '../../../translators/index.js';
import { parseJson } from '../../../translators/wire/json.js';
import { ANSWERS, type Call, wholeOf } from '../../client-tools/answers.js';
import { tableOf } from '../../support/dialects/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { lawTableOf } from '../dialects/index.js';
import { asDeeds, clientTools, type DeedWords, groupOf, isPlain } from '../honesty/deeds.js';
import { stable } from '../honesty/json.js';

const ASKED = lawTableOf('clientToolRequests');

const COMPUTER = lawTableOf('computerCalls');

const MODELS = tableOf('newestModel');

const TURNS = tableOf('turnsKey');

/** A request with an answer in its history, as its service reads it. */
function told(dialect: DialectId, request: JsonObject, answer: JsonObject): CanonicalRequest {
  const list = TURNS[dialect];
  const turns = HISTORIES[dialect](answer);
  const before: unknown = request[list];
  const body = { ...request, [list]: [...(Array.isArray(before) ? before : []), ...turns] };
  return decodeRequest(dialect, body, { model: 'm', stream: false }).value;
}

const HISTORIES = lawTableOf('answerAsHistory');

function callsOf({ turns }: CanonicalRequest): CallPart[] {
  return turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'call'));
}

/** What the calls of one answer do, by the number of the call that the model made. */
function deedsOf(request: CanonicalRequest, words: DeedWords): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { callId, args } of callsOf(asDeeds(request, words))) {
    const number = /^call_a(\d+)/.exec(callId)?.[1] ?? callId;
    const parsed = args.value === undefined ? parseJson(args.text ?? '') : undefined;
    const text = args.value !== undefined ? stable(args.value) : parsed?.ok === true ? stable(parsed.value) : args.text;
    found.set(number, [...(found.get(number) ?? []), text ?? '']);
  }
  return found;
}

const DECLARED = lawTableOf('clientTools');

/** Pairs whose client has built-in tools. */
const LOSING = CROSS_PAIRS.filter(([, to]) => Object.keys(DECLARED[to]).length > 0);

const PLACES = lawTableOf('partsPath');

/** What is not honest about telling the calls of an answer to a client. */
function faults(
  from: DialectId,
  to: DialectId,
  client: JsonObject,
  calls: readonly Call[],
  heard: (losses: readonly Loss[]) => readonly Loss[] = (losses) => losses,
): string[] {
  const sent = translateRequest({ from: to, to: from, body: client, model: MODELS[from] });
  const answer = wholeOf(from, calls);
  const { body, losses } = translateResponse({ from, to, request: client, body: answer, now: 1, nonce: 'n' });
  const asked = told(to, client, body);
  const words: DeedWords = {
    standIns: new Set(clientTools(asked).map(({ family, name }) => groupOf(family, name))),
    plain: new Set(),
    lexed: clientTools(asked).some(({ family }) => family === 'localShell'),
  };
  const made = told(from, sent.body, answer);
  const before = deedsOf(made, words);
  const after = deedsOf(asked, words);
  return callsOf(made).flatMap((call, index) => {
    const said = heard(losses).filter(
      ({ path, feature }) => path === `${PLACES[from]}${index}` && feature === 'call.family',
    );
    const [x, y] = [before, after].map((deeds) => (deeds.get(`${index}`) ?? []).join(' '));
    return fault(call, x ?? '', y ?? '', said);
  });
}

function fault(call: CallPart, before: string, after: string, said: readonly Loss[]): string[] {
  if (before !== after) return said.length > 0 ? [] : [`no entry names: ${before} became ${after}`];
  // Restarts, and what one dialect has no word for, come out the same and are told worse all the same.
  const computer = call.family === 'computer' || (call.family === undefined && call.name === 'computer');
  if (said.length === 0 || (computer && !isPlain(call))) return [];
  return said.map(({ detail }) => `nothing differs for: ${before} (${detail})`);
}

describe('calls of built-in tools in an answer', () => {
  test.each(CROSS_PAIRS)('%s to %s: the client is told what the model does, but for what is reported', (from, to) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ASKED[to]),
        fc.array(fc.oneof(COMPUTER[from], ANSWERS[from]), { minLength: 1, maxLength: 4 }),
        (client, calls) => {
          expect(faults(from, to, client, calls)).toEqual([]);
        },
      ),
      { numRuns: runsOfPair(60) },
    );
  });

  // A client without built-in tools declares functions, whose calls come as the model made them: nothing can get lost.
  test.each(LOSING)('%s to %s: the law sees losses that were not told', (from, to) => {
    const samples = fc.sample(fc.tuple(fc.constantFrom(...ASKED[to]), COMPUTER[from]), 150);
    const seen = samples.filter(([client, call]) => faults(from, to, client, [call], () => []).length > 0);
    expect(seen.length).toBeGreaterThan(0);
  });
});
