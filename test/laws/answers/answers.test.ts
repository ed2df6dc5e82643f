import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HostedResultPart, Part } from '../../../translators/canonical/content.js';
import type { CanonicalResponse } from '../../../translators/canonical/response.js';
import {
  type DialectId,
  decodeResponse,
  dialectIds,
  encodeResponse,
  type JsonObject,
  type Loss,
  TranslationError,
} from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { has, lawTableOf } from '../dialects/index.js';
import { clientRequests } from './client-requests.js';
import { compare, type Exchange } from './compare.js';
import { answerFaults } from './legal.js';
import { located, responses } from './responses.js';

const ERRORS = lawTableOf('finishesAsErrors');

/** Whether a client is told an answer as an error: an end nobody knows is one where nothing came but thoughts. */
function fails(client: DialectId, { finish, parts }: CanonicalResponse): boolean {
  if (!has(client, 'failsEmpty') || finish.kind !== 'other') return ERRORS[client].includes(finish.kind);
  const counts = (part: Part): boolean =>
    part.kind === 'call' ||
    (part.kind === 'media' && part.thought !== true) ||
    (part.kind === 'hostedResult' && part.family === 'imageGen' && isShown(client, part));
  return !parts.some((part) => ('text' in part && typeof part.text === 'string' ? part.text !== '' : counts(part)));
}

/** Whether anything is read where a picture was to be made: one message tells nothing of a picture that did not come. */
function isShown(client: DialectId, { output }: HostedResultPart): boolean {
  return !has(client, 'oneMessage') || typeof output.base64 === 'string';
}

/** What of a client decides how it is told an answer. */
interface Client {
  readonly request: JsonObject | undefined;
  readonly trailingState: 'drop' | 'emit';
}

function clients(dialect: DialectId): fc.Arbitrary<Client> {
  return fc.record({
    request: clientRequests(dialect),
    trailingState: fc.constantFrom('drop' as const, 'emit' as const),
  });
}

/** An answer on its way to a client: the body it gets, and the exchange as the law sees it. */
function told(
  client: DialectId,
  source: CanonicalResponse,
  options: Client,
): { readonly body: JsonObject; readonly exchange: Exchange } {
  const asked = { ...options, model: 'asked-for', now: 1_700_000_000, nonce: 'law', stream: false };
  const { value, losses } = encodeResponse(client, source, asked);
  const body: JsonObject = JSON.parse(JSON.stringify(value));
  const { value: read } = decodeResponse(client, body);
  return { body, exchange: { client, source, read, losses } };
}

/** What is not honest about telling an answer that was read to clients of the dialect it came from. */
function home({ read, source }: Exchange): string[] {
  const client = dialectIds.find((id) => id === source.source);
  if (client === undefined || fails(client, read)) return [];
  return compare(told(client, located(read), { request: undefined, trailingState: 'emit' }).exchange);
}

describe('an answer of one dialect for a client of another', () => {
  test.each(CROSS_PAIRS)(
    '%s to %s: what its client reads is the answer, but for what is reported',
    (source, client) => {
      fc.assert(
        fc.property(responses(source), clients(client), (response, options) => {
          if (fails(client, response)) {
            expect(() => told(client, response, options)).toThrow(TranslationError);
            return;
          }
          const { body, exchange } = told(client, response, options);
          expect(answerFaults(client, body)).toEqual([]);
          expect(compare(exchange)).toEqual([]);
          // The model is called as the client called it (translation.md 5.1), and nothing depends on chance (0.12).
          expect(exchange.read.model).toBe('asked-for');
          expect(told(client, response, options).body).toEqual(body);
          // What a client reads it may write again as it was (0.5), and tell the first service's clients as honestly.
          expect(JSON.parse(JSON.stringify(encodeResponse(client, exchange.read).value))).toEqual(body);
          expect(home(exchange)).toEqual([]);
        }),
        { numRuns: runsOfPair(250) },
      );
    },
  );

  test.each(CROSS_PAIRS)(
    '%s to %s: the law sees losses that were not told, and told ones that are none',
    (source, client) => {
      const made: Loss = { path: '/parts/0', feature: 'part.phase', kind: 'dropped', detail: 'made up' };
      let silent = 0;
      let seen = 0;
      for (const [response, options] of fc.sample(fc.tuple(responses(source), clients(client)), 60)) {
        if (fails(client, response)) continue;
        const { exchange } = told(client, response, options);
        if (exchange.losses.length > 0) silent += 1;
        if (compare({ ...exchange, losses: [] }).length > 0) seen += 1;
        if (response.parts.length === 0 || response.parts[0]?.phase !== undefined) continue;
        expect(compare({ ...exchange, losses: [...exchange.losses, made] })).not.toEqual([]);
      }
      expect(seen).toBeGreaterThan(silent / 2);
    },
  );
});
