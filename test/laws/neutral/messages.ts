import type { ForeseenRefusal, NeutralFields, NeutralKeys } from './record.js';

export const neutralFields: readonly NeutralFields[] = [
  {
    fields: ['request: cache_control'],
    reason: 'the others cache by themselves (translation.md 2.2)',
  },
  { fields: ['tool: type'], reason: 'custom is the default' },
  {
    fields: ['web_search_tool_result: cache_control', 'web_search_tool_result: caller'],
    reason: 'the pair is dropped as one, and reported at its call',
  },
];

export const neutralKeys: readonly NeutralKeys[] = [
  { kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    kind: 'request',
    keys: /^\/(?:temperature|tool_choice)$|\/is_error$/,
    reason: 'the default: 1, auto, false',
  },
  {
    kind: 'request',
    keys: /\((?:web_fetch|web_search|bash_code_execution|tool_search)_tool_result\)\//,
    reason: 'a pair goes as one, and is reported at its call',
  },
  {
    kind: 'response',
    keys: /^\(message\)\/(?:role|type|context_management)$|\/caller(?:\(direct\)\/type)?$/,
    reason: 'constants of the envelope, and lists of nothing (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\(message\)\/usage\//,
    reason: 'zeros, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\(message\)\/stop_sequence$/,
    reason: 'reported at the root, with the end of the answer',
  },
];

export const foreseenRefusals: readonly ForeseenRefusal[] = [
  {
    where: 'inlineMedia',
    recordings: /^pydantic-ai--anthropic-image-url-input$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'media by URL goes inline there, and nobody fetched it (translation.md 2.6)',
  },
];
