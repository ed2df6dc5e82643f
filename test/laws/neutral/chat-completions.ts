import type { ForeseenRefusal, NeutralFields, NeutralKeys } from './record.js';

export const neutralFields: readonly NeutralFields[] = [
  {
    fields: ['request: stream_options', 'stream_options: include_usage'],
    reason: 'who serves the answer counts its tokens (chat-translation.md 2.2)',
  },
  { fields: ['request: top_logprobs'], reason: 'without log probabilities there are none beside them' },
];

export const neutralKeys: readonly NeutralKeys[] = [
  { kind: 'request', keys: /^\/model$/, reason: 'the host names the model' },
  {
    kind: 'request',
    keys: /^\/(?:stream_options|store|n)\b/,
    reason: 'who serves the answer counts its tokens and keeps it; one answer is the default (chat-translation.md 2.2)',
  },
  {
    kind: 'response',
    keys: /^\/(?:object|created|system_fingerprint)$|^\/choices\/\*\/index$/,
    reason: 'constants of the envelope, and times (translation.md 0.8)',
  },
  { kind: 'response', keys: /^\/usage\//, reason: 'zeros, and a sum' },
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
    reason: 'the answer is to be spoken (chat-translation.md 2.2)',
  },
  {
    where: 'noSound',
    recordings: /audio-url-input$|can-understand-mp3-audio$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the target takes no audio (chat-translation.md 2.6)',
  },
  {
    recordings: /video-url-public-api$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the others take no video, or not by its address (chat-translation.md 2.6)',
  },
  {
    where: 'inlineMedia',
    recordings: /document-url-no-force-download$|remote-images-without-extension$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'the target takes media inline, and nobody fetched them (translation.md 2.6)',
  },
];
