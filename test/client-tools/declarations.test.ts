import { describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds, translateRequest } from '../../translators/index.js';
import { requestFaults } from '../support/legal.js';
import { CLIENTS } from './answers.js';

const MODELS: Readonly<Record<DialectId, readonly string[]>> = {
  messages: ['claude-3-haiku', 'claude-3-5-sonnet', 'claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5'],
  responses: ['gpt-4o', 'o3', 'gpt-5', 'computer-use-preview'],
  generateContent: [
    'gemini-1.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-computer-use-preview',
    'gemini-3-pro',
    'gemini-3.6-flash',
  ],
};

const WAYS = dialectIds.flatMap((from) =>
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
