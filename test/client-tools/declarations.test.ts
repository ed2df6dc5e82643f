import { describe, expect, test } from '@jest/globals';
import { dialectIds, translateRequest } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import { requestFaults } from '../support/legal.js';
import { CLIENTS } from './answers.js';

const MODELS = tableOf('models');

/** Chat completions has no built-in tools. */
const SOURCES = dialectIds.filter((from) => from !== 'chatCompletions');

const WAYS = SOURCES.flatMap((from) =>
  dialectIds.flatMap((to) => (from === to ? [] : MODELS[to].map((model) => [from, to, model] as const))),
);

describe('built-in tools', () => {
  test.each(WAYS)('%s to %s: %s takes what is declared for them', (from, to, model) => {
    const { body, losses } = translateRequest({ from, to, body: CLIENTS[from], model });
    expect(requestFaults(to, body, model)).toEqual([]);
    expect(losses.filter(({ kind, feature }) => kind === 'dropped' && feature !== 'tool.client')).toEqual([]);
    expect(JSON.stringify(body.tools)).toContain('computer');
  });

  test.each([
    ['claude-3-5-sonnet', 'computer_20241022', 'bash_20241022'],
    ['claude-3-7-sonnet', 'computer_20250124', 'bash_20250124'],
    ['claude-opus-4-6', 'computer_20251124', 'bash_20250124'],
  ])('%s has %s and %s', (model, computer, bash) => {
    const { body } = translateRequest({ from: 'responses', to: 'messages', body: CLIENTS.responses, model });
    expect(body.tools).toMatchObject([
      { type: computer, name: 'computer' },
      { type: bash, name: 'bash' },
      { name: 'apply_patch' },
    ]);
  });

  test.each(dialectIds)('%s to itself: nothing changes', (dialect) => {
    const body = { ...CLIENTS[dialect] };
    expect(translateRequest({ from: dialect, to: dialect, body, model: 'm' })).toMatchObject({ body, losses: [] });
  });
});
