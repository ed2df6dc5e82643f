import type { ForeseenRefusal, NeutralFields, NeutralKeys } from './record.js';

export const neutralFields: readonly NeutralFields[] = [
  {
    fields: ['request: stream_options', 'stream_options: include_usage'],
    reason: 'who serves the answer counts its tokens (translation.md 2.2)',
  },
  { fields: ['request: top_logprobs'], reason: 'without log probabilities there are none beside them' },
];

export const neutralKeys: readonly NeutralKeys[] = [
  { kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    kind: 'request',
    keys: /^\/(?:stream_options|store|n)\b/,
    reason: 'who serves the answer counts its tokens and keeps it; one answer is the default (translation.md 2.2)',
  },
  {
    kind: 'request',
    keys: /^\/(?:tools|messages\/\*\/tool_calls)\/\*\(function\)\/type$/,
    reason: 'functions are the only kind that the target has, or the default one',
  },
  {
    kind: 'request',
    keys: /\/function\/(?:arguments|parameters)$/,
    reason: 'a function without arguments (translation.md 2.5, 2.8)',
  },
  {
    kind: 'request',
    keys: /^\/messages\/\*\/tool_call_id$/,
    reason: 'a result without an id answers the call that waits for one (translation.md 2.7 rule 5)',
  },
  {
    kind: 'request',
    keys: /^\/(?:temperature|top_p|tool_choice|response_format\(json_schema\)\/json_schema\/strict)$|^\/messages\/\*\/prefix$/,
    reason: 'the default goes without saying (translation.md 0.8, 2.10)',
  },
  {
    kind: 'request',
    keys: /^\/thinking(?:\(enabled\)\/type)?$/,
    reason: 'a model that thinks anyway is not asked to (translation.md 2.12)',
  },
  {
    kind: 'request',
    keys: /\/input_audio\/format$/,
    reason: 'the bytes tell what they are',
  },
  {
    kind: 'response',
    keys: /^\/(?:object|created|system_fingerprint)$|\/(?:index|role)$|\/tool_calls\/\*\(function\)\/type$/,
    reason: 'constants of the envelope, and times (translation.md 0.8)',
  },
  { kind: 'response', keys: /^\/usage\//, reason: 'zeros, and a sum' },
  {
    kind: 'response',
    keys: /^\/(?:time_info|x_groq)\//,
    reason: 'figures are named by the member that holds them (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\/choices\/\*\/(?:delta|message|logprobs|message\/(?:audio|function_call|tool_calls\/\*\(function\)\/(?:custom|function\/arguments)))$/,
    reason: 'there, and with nothing in it [H §3.3, §4.1]: no sound, a function without arguments',
  },
  { kind: 'response', keys: /^\/service_tier$/, reason: 'the default tier goes without saying' },
  {
    kind: 'response',
    keys: /^\/citations$|^\/search_results\/\*\/(?!url|title)/,
    reason: 'the same pages are told twice; what a search says of a page is no part of the answer',
  },
  {
    kind: 'response',
    keys: /\/message\/audio\/(?:id|expires_at|transcript)$/,
    reason: 'its service keeps the sound; what is said is heard',
  },
  {
    kind: 'response',
    keys: /^\/usage_breakdown$|\/content_filter_results$/,
    reason: 'objects of nothing (translation.md 0.8)',
  },
];

export const foreseenRefusals: readonly ForeseenRefusal[] = [
  {
    recordings: /^ai-gateway--chat-(?:streaming-)?detailed-usage$/,
    path: /^\/messages$/,
    reason: 'instructions without any user content (translation.md 2.3)',
  },
  {
    recordings: /^ai-gateway--chat-text-to-audio$/,
    path: /^\/modalities\/1$/,
    reason: 'the answer is to be spoken (translation.md 2.2)',
  },
  {
    where: 'noSound',
    recordings: /audio-url-input$|can-understand-mp3-audio$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the target does not accept audio (translation.md 2.6)',
  },
  {
    recordings: /video-url-public-api$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the others take no video, or not by its address (translation.md 2.6)',
  },
  {
    where: 'inlineMedia',
    recordings: /document-url-no-force-download$|remote-images-without-extension$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the target takes media inline, and nobody fetched them (translation.md 2.6)',
  },
];
