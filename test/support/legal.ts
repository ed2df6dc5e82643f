import {
  checkGenerate,
  checkMessages,
  checkResponses,
  type Generation,
  type JsonObject,
  type StateKeeper,
  type Violation,
} from '../../src/simulator/rules/index.js';
import { TRUSTING_STATE } from './fake-backend/issued-state.js';
import { checkDemands } from './services/chat-completions/demands.js';
import type { ServerName } from './services/chat-completions/server.js';

/**
 * What a backend of `dialect` would refuse in a translated request for `model`, as the words of its service. Opaque state
 * is believed unless a keeper is given that knows what was issued.
 */
export function requestFaults(
  dialect: string,
  body: JsonObject,
  model: string,
  host: 'dev' | 'cloud' = 'dev',
  state: StateKeeper = TRUSTING_STATE,
): string[] {
  return violations(dialect, body, model, host, state).map((violation) => violation.message);
}

function violations(
  dialect: string,
  body: JsonObject,
  model: string,
  host: 'dev' | 'cloud',
  state: StateKeeper,
): Violation[] {
  switch (dialect) {
    case 'messages':
      return checkMessages(body, { version: '2023-06-01', beta: true, generation: generationOf(model), state });
    case 'responses':
      return checkResponses(body, { context: [], issued: { reasoningOf: new Map(), stored: new Set() }, state });
    case 'chatCompletions':
      return [...checkDemands(serverOf(model), withoutQwenFields(body), { state, wasShown: () => true })];
    default:
      return checkGenerate(body, { model, host, gemini3: model.startsWith('gemini-3'), state });
  }
}

/** Whose servers take a model; a model that nobody knows is one behind a router, which takes every form of reasoning. */
function serverOf(model: string): ServerName {
  if (/^(?:gpt|o\d)/.test(model)) return 'openai';
  if (/^qwen/.test(model)) return 'compatible';
  const vendor = /^(deepseek|kimi|mistral)/.exec(model)?.[1];
  return vendor === 'deepseek' || vendor === 'kimi' || vendor === 'mistral' ? vendor : 'openrouter';
}

/** Members of one vendor that no fake stands for [H §2.3]. */
function withoutQwenFields({ enable_thinking: _on, thinking_budget: _budget, ...body }: JsonObject): JsonObject {
  return body;
}

function generationOf(model: string): Generation {
  if (/-4-5/.test(model)) return '4.5';
  return /-4-[78]|claude-(?:opus|sonnet)-5|claude-next/.test(model) ? '4.7' : '4.6';
}
