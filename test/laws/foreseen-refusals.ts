import type { DialectId } from '../../translators/index.js';

/** Recorded requests that another dialect's backend cannot answer, and why; all else is sent. */
export interface ForeseenRefusal {
  readonly from: DialectId;
  /** Absent = both other dialects. */
  readonly to?: DialectId;
  /** Which recordings, by name. */
  readonly recordings: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

export const FORESEEN_REFUSALS: readonly ForeseenRefusal[] = [
  {
    from: 'messages',
    to: 'generateContent',
    recordings: /^pydantic-ai--anthropic-image-url-input$/,
    path: /^\/messages\/0\/content\/1$/,
    reason: 'media by URL goes inline there, and nobody fetched it (translation.md 2.6)',
  },
  {
    from: 'responses',
    to: 'generateContent',
    recordings: /direct-url-image-openai-responses-2$/,
    path: /^\/input\/3\/output\/0$/,
    reason: 'media by URL goes inline there, and nobody fetched it (translation.md 2.6)',
  },
  {
    from: 'responses',
    recordings: /background-mode-streaming-continuation/,
    path: /^\/background$/,
    reason: 'only its own service runs an answer in the background (translation.md 2.2)',
  },
  {
    from: 'responses',
    recordings: /conversation-id-streaming-provider-details$/,
    path: /^\/conversation$/,
    reason: 'the service keeps the conversation (translation.md 2.2)',
  },
  {
    from: 'responses',
    recordings: /previous-response-id-seed-auto-chains-through-retries-[2-9]$/,
    path: /^\/previous_response_id$/,
    reason: 'the service keeps the answer that is continued (translation.md 2.2)',
  },
  {
    from: 'responses',
    recordings: /openai-responses-compact-(?:messages|stateful-mode|stateful-mode-stream)-4$/,
    path: /^\/input\/\d+$/,
    reason: 'a summary that only its own service can decipher (translation.md 2.6)',
  },
  {
    from: 'responses',
    recordings: /openai-responses-image-generation-jpeg$/,
    path: /^\/tool_choice$/,
    reason: 'forces a tool that the target does not have (translation.md 2.8)',
  },
  {
    from: 'responses',
    recordings: /mcp-server-tool-with-connector$/,
    path: /^\/tools\/0$/,
    reason: 'a connector is an id of its own service (translation.md 2.8)',
  },
  {
    from: 'responses',
    to: 'generateContent',
    recordings: /model-mcp-server-tool-(?:1|2|stream)$/,
    path: /^\/tools\/0$/,
    reason: 'the model could call what the list of tools forbids (translation.md 2.8)',
  },
  {
    from: 'generateContent',
    recordings: /^pydantic-ai--cache-google-model-cached-content-\d$/,
    path: /^\/cachedContent$/,
    reason: 'the service keeps the prompt (translation.md 2.2)',
  },
  {
    from: 'generateContent',
    to: 'messages',
    recordings: /instructions-only-with-tool-calls-1$/,
    path: /^\/contents$/,
    reason: 'instructions without any user content (translation.md 2.3)',
  },
  {
    from: 'generateContent',
    recordings: /video-as-binary-content-input$|youtube-video-url-input/,
    path: /^\/contents\/0\/parts\/1$/,
    reason: 'the others take no video (translation.md 2.6)',
  },
  {
    from: 'generateContent',
    recordings: /can-transcribe-audio$/,
    path: /^\/contents\/0\/parts\/1$/,
    reason: 'the others take no audio (translation.md 2.6)',
  },
  {
    from: 'generateContent',
    recordings: /tool-return-content-uploaded-file-au-(?:1cfb3e0c-2|efa41618-3)$|reuses-an-uploaded-file-in-chat$/,
    path: /^\/contents\/\d\/parts\/\d$/,
    reason: 'the service keeps the file (translation.md 2.6)',
  },
];
