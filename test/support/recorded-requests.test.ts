import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  checkChatCompletions,
  checkGenerate,
  checkMessages,
  checkResponses,
  type Violation,
} from '../../src/simulator/rules/index.js';
import { TRUSTING_STATE } from './fake-backend/issued-state.js';

const CORPUS = new URL('../../../shared/corpus/', import.meta.url);
const present = existsSync(CORPUS);

interface Recording {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: recorded bodies
  readonly body: any;
  readonly meta: { status: number; endpoint: string; operation: string; provider: string };
}

/** Requests of one dialect that the dialect's own service took. */
function recordings(folder: string, providers: readonly string[]): Recording[] {
  if (!present) return [];
  const load = (path: string) => JSON.parse(readFileSync(new URL(path, CORPUS), 'utf8'));
  return readdirSync(new URL(folder, CORPUS)).flatMap((name) => {
    if (!existsSync(new URL(`${folder}/${name}/request.json`, CORPUS))) return [];
    const meta = load(`${folder}/${name}/meta.json`);
    if (meta.status >= 400 || !providers.includes(meta.provider)) return [];
    return [{ name, meta, body: load(`${folder}/${name}/request.json`) }];
  });
}

/** Accepted once and against the sheet, which forbids text of white space alone [M §3.5]. */
const WHITESPACE_TEXT = 'llm-anthropic--test-anthropic-test-tools-2';

function checkRecorded(folder: string, { body, meta }: Recording): Violation[] {
  if (folder === 'anthropic-messages') {
    const generation = body.thinking?.type === 'adaptive' ? '4.6' : '4.5';
    const counting = meta.operation.includes('count');
    return checkMessages(body, { version: '2023-06-01', beta: true, generation, state: TRUSTING_STATE, counting });
  }
  if (folder === 'openai-responses') {
    const issued = { reasoningOf: new Map<string, string>(), stored: new Set<string>() };
    const counting = meta.endpoint.endsWith('/input_tokens');
    return checkResponses(body, { context: [], issued, state: TRUSTING_STATE, counting });
  }
  if (folder === 'openai-chat') return checkChatCompletions(body);
  const model = /models\/([^:]+)/.exec(meta.endpoint)?.[1] ?? '';
  const host = meta.provider === 'google-vertex' ? 'cloud' : 'dev';
  return checkGenerate(body, { model, host, gemini3: model.startsWith('gemini-3'), state: TRUSTING_STATE });
}

const FOLDERS = [
  ['anthropic-messages', ['anthropic'], 40],
  ['openai-responses', ['openai'], 40],
  ['google-generatecontent', ['google', 'google-vertex'], 50],
  ['openai-chat', ['openai', 'azure'], 30],
] as const;

// The rules must refuse nothing that the real services took.
(present ? describe : describe.skip)('recorded requests (skipped: no ../shared/corpus beside the project)', () => {
  test.each(FOLDERS)('%s: everything accepted passes the rules', (folder, providers, least) => {
    const recorded = recordings(folder, providers).filter(({ name, body, meta }) => {
      const refersToState = body.previous_response_id !== undefined || body.conversation !== undefined;
      const isConversation = folder !== 'google-generatecontent' || /[gG]enerateContent$/.test(meta.endpoint);
      return name !== WHITESPACE_TEXT && !refersToState && isConversation;
    });
    expect(recorded.length).toBeGreaterThanOrEqual(least);
    const refused = recorded.flatMap((recording) =>
      checkRecorded(folder, recording).map(({ message }) => `${recording.name}: ${message}`),
    );
    expect(refused).toEqual([]);
  });
});
