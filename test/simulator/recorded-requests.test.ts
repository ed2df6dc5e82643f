import { describe, expect, test } from '@jest/globals';
import {
  checkChatCompletions,
  checkGenerate,
  checkMessages,
  checkResponses,
  type Violation,
} from '../../src/simulator/rules/index.js';
import type { DialectId } from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, type Recorded, recordedExchanges } from '../support/corpus.js';
import { TRUSTING_STATE } from '../support/fake-backend/issued-state.js';

interface Recording extends Recorded {
  // biome-ignore lint/suspicious/noExplicitAny: recorded bodies
  readonly request: any;
}

/** Requests of one dialect that the dialect's own service took. */
function recordings(dialect: DialectId, providers: readonly string[]): Recording[] {
  return recordedExchanges(dialect).flatMap((one) =>
    one.request === undefined || one.status >= 400 || !providers.includes(one.provider)
      ? []
      : [{ ...one, request: one.request }],
  );
}

/** Accepted once and against the sheet, which forbids text of white space alone [M §3.5]. */
const WHITESPACE_TEXT = 'llm-anthropic--test-anthropic-test-tools-2';

function checkRecorded(dialect: DialectId, { request, operation, endpoint, provider }: Recording): Violation[] {
  if (dialect === 'messages') {
    const generation = request.thinking?.type === 'adaptive' ? '4.6' : '4.5';
    const counting = operation.includes('count');
    return checkMessages(request, { version: '2023-06-01', beta: true, generation, state: TRUSTING_STATE, counting });
  }
  if (dialect === 'responses') {
    const issued = { reasoningOf: new Map<string, string>(), stored: new Set<string>() };
    const counting = endpoint.endsWith('/input_tokens');
    return checkResponses(request, { context: [], issued, state: TRUSTING_STATE, counting });
  }
  if (dialect === 'chatCompletions') return checkChatCompletions(request);
  const model = /models\/([^:]+)/.exec(endpoint)?.[1] ?? '';
  const host = provider === 'google-vertex' ? 'cloud' : 'dev';
  return checkGenerate(request, { model, host, gemini3: model.startsWith('gemini-3'), state: TRUSTING_STATE });
}

const ACCEPTED = [
  ['messages', ['anthropic'], 40],
  ['responses', ['openai'], 40],
  ['generateContent', ['google', 'google-vertex'], 50],
  ['chatCompletions', ['openai', 'azure'], 30],
] as const;

// The rules must refuse nothing that the real services took.
(corpusPresent ? describe : describe.skip)(`recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(ACCEPTED)('%s: everything accepted passes the rules', (dialect, providers, least) => {
    const recorded = recordings(dialect, providers).filter(({ name, request, endpoint }) => {
      const refersToState = request.previous_response_id !== undefined || request.conversation !== undefined;
      const isConversation = dialect !== 'generateContent' || /[gG]enerateContent$/.test(endpoint);
      return name !== WHITESPACE_TEXT && !refersToState && isConversation;
    });
    expect(recorded.length).toBeGreaterThanOrEqual(least);
    const refused = recorded.flatMap((recording) =>
      checkRecorded(dialect, recording).map(({ message }) => `${recording.name}: ${message}`),
    );
    expect(refused).toEqual([]);
  });
});
