import { describe, expect, test } from '@jest/globals';
import {
  createStreamTranslator,
  type DialectId,
  decodeResponse,
  dialectIds,
  encodeResponse,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { isObject } from '../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, type Recorded, recordedExchanges } from '../support/corpus.js';
import { requestFaults } from '../support/legal.js';

const MODELS: Record<DialectId, string> = {
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  generateContent: 'gemini-3-pro',
};

const PAIRS = dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));

/** Translations that the matrix refuses: another service's files, state and consent, or nothing to answer. */
const FORESEEN = new Set(['unsupported', 'not_found']);
const UNKNOWN_STATE = 'previous_response_not_found';

const isCreate = ({ operation }: Recorded): boolean => ['create', 'generate', 'stream'].includes(operation);

const suite = corpusPresent ? describe : describe.skip;

suite(`recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(PAIRS)(
    '%s to %s: what is sent is what the service takes, or refused as the matrix foresees',
    (from, to) => {
      const faults: string[] = [];
      let sent = 0;
      for (const recorded of recordedExchanges(from)) {
        if (recorded.request === undefined || !isCreate(recorded) || recorded.status !== 200) continue;
        try {
          const { body } = translateRequest({ from, to, body: recorded.request, model: MODELS[to], stream: false });
          sent += 1;
          for (const fault of requestFaults(to, body as never, MODELS[to])) faults.push(`${recorded.name}: ${fault}`);
        } catch (error) {
          const known = error instanceof TranslationError && (FORESEEN.has(error.kind) || error.code === UNKNOWN_STATE);
          if (!known)
            faults.push(`${recorded.name}: ${String(error)} ${error instanceof TranslationError ? error.path : ''}`);
        }
      }
      expect(faults).toEqual([]);
      expect(sent).toBeGreaterThan(20);
    },
  );
});

suite(`recorded answers ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(PAIRS)('%s to %s: every answer is one that its client can read', (from, to) => {
    const faults: string[] = [];
    for (const recorded of recordedExchanges(from)) {
      if (recorded.response === undefined || !isCreate(recorded) || recorded.status !== 200) continue;
      if (Array.isArray(recorded.response)) continue;
      try {
        const { body } = translateResponse({ from, to, body: recorded.response });
        decodeResponse(to, body);
      } catch (error) {
        faults.push(`${recorded.name}: ${String(error)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test.each(dialectIds)('%s: decoding and encoding an answer is the identity', (dialect) => {
    for (const recorded of recordedExchanges(dialect)) {
      if (!isObject(recorded.response) || !isCreate(recorded) || recorded.status !== 200) continue;
      const { value } = decodeResponse(dialect, recorded.response);
      expect({ [recorded.name]: encodeResponse(dialect, value).value }).toEqual({ [recorded.name]: recorded.response });
    }
  });
});

suite(`recorded streams ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(PAIRS)('%s to %s: chunks of any size give the same bytes, and a cut never ends well', (from, to) => {
    for (const recorded of recordedExchanges(from)) {
      if (recorded.stream === undefined) continue;
      const whole = translated(recorded.stream, from, to, recorded.stream.length);
      expect({ [recorded.name]: translated(recorded.stream, from, to, 7) }).toEqual({ [recorded.name]: whole });
      const cut = recorded.stream.subarray(0, Math.floor(recorded.stream.length * 0.6));
      if (FINISHES[from].test(cut.toString())) continue;
      expect({ [recorded.name]: endsWell(to, translated(cut, from, to, 4096)) }).toEqual({ [recorded.name]: false });
    }
  });
});

function translated(bytes: Buffer, from: DialectId, to: DialectId, size: number): string {
  const translator = createStreamTranslator({ from, to, now: 1_700_000_000, nonce: 'law' });
  let out = '';
  for (let at = 0; at < bytes.length; at += size) out += translator.push(bytes.subarray(at, at + size));
  return out + translator.end();
}

const LAST_WORDS: Record<DialectId, RegExp> = {
  messages: /event: message_stop\n/,
  responses: /event: response\.(completed|incomplete)\n/,
  generateContent: /"finishReason": ?/,
};

/** A stream that has said how it ends may lose its trailer (translation.md 6.5). */
const FINISHES: Record<DialectId, RegExp> = {
  messages: /"stop_reason": ?"/,
  responses: LAST_WORDS.responses,
  generateContent: LAST_WORDS.generateContent,
};

function endsWell(dialect: DialectId, text: string): boolean {
  return LAST_WORDS[dialect].test(text);
}
