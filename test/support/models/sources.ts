import type { ROWS as GENERATE_CONTENT } from '../../../translators/generate-content/profile.js';
import type { ROWS as MESSAGES } from '../../../translators/messages/profile.js';
import type { ROWS as RESPONSES } from '../../../translators/responses/profile.js';

/** Where a row of the profiles has its facts from, and when somebody last read it there. */
export interface Source {
  /** Address of the vendor's page, or of the report or recording where the vendor says nothing. */
  readonly page: string;
  /** The day on which the row was compared with it, as `2026-11-28`. */
  readonly checked: string;
  /** Input and output together, in tokens: only where the page says it, and of every model of the row. */
  readonly window?: number;
}

/** One source for each row of a table: the compiler asks for what is missing, and refuses names that are in no row. */
export type SourcesOf<Rows extends readonly { readonly prefix: string }[]> = Readonly<
  Record<Rows[number]['prefix'], Source>
>;

const CLAUDE = 'https://platform.claude.com/docs/en';
const CLAUDE_MODELS = `${CLAUDE}/about-claude/models/overview`;
/** The list of models was read when the dialect was written. */
const LISTED: Source = { page: CLAUDE_MODELS, checked: '2026-11-20' };
const MILLION = 1_000_000;

function claude(name: string, checked: string, page = 'overview'): Source {
  return { page: `${CLAUDE}/models/${name}/${page}`, checked, window: MILLION };
}

export const MESSAGES_SOURCES: SourcesOf<typeof MESSAGES> = {
  'claude-2': LISTED,
  'claude-2-1': LISTED,
  'claude-instant': LISTED,
  'claude-3': LISTED,
  'claude-3-haiku': LISTED,
  'claude-3-5': LISTED,
  'claude-3-5-haiku': LISTED,
  'claude-3-7': LISTED,
  'claude-opus-4': LISTED,
  'claude-sonnet-4': LISTED,
  'claude-4-opus': LISTED,
  'claude-4-sonnet': LISTED,
  'claude-opus-4-1': LISTED,
  'claude-opus-4-5': LISTED,
  'claude-sonnet-4-5': LISTED,
  'claude-haiku-4-5': { page: `${CLAUDE}/models/opus-5/overview`, checked: '2026-11-28', window: 200_000 },
  'claude-opus-4-6': LISTED,
  'claude-sonnet-4-6': LISTED,
  'claude-opus-4-7': LISTED,
  'claude-opus-4-8': LISTED,
  'claude-sonnet-5': claude('sonnet-5', '2026-11-28'),
  'claude-opus-5': claude('opus-5', '2026-11-28'),
  'claude-opus-5-5': claude('opus-5-5', '2026-11-28', 'migration-guide'),
  'claude-sonnet-5-5': claude('sonnet-5-5', '2026-11-28', 'migration-guide'),
  'claude-haiku-5-5': claude('haiku-5-5', '2026-11-28', 'migration-guide'),
  'claude-fable': claude('fable-5-1', '2026-11-28'),
  'claude-mythos': { page: CLAUDE_MODELS, checked: '2026-11-24' },
};

const OPENAI = 'https://developers.openai.com/api/docs';

function openai(name: string, checked: string, window?: number): Source {
  return { page: `${OPENAI}/models/${name}`, checked, window };
}

/** What the vendor's guide says of the sixth generation. */
const SIXTH: Source = { page: `${OPENAI}/guides/latest-model`, checked: '2026-11-24', window: 1_050_000 };

/** Rows that both dialects of the vendor have. */
export const OPENAI_SOURCES = {
  'gpt-3.5': openai('gpt-3.5-turbo', '2026-11-20'),
  'gpt-4': openai('gpt-4', '2026-11-20'),
  'gpt-4.5': openai('gpt-4.5-preview', '2026-11-20'),
  'gpt-4o': openai('gpt-4o', '2026-11-20'),
  'gpt-4.1': openai('gpt-4.1', '2026-11-20'),
  'chatgpt-4o': openai('chatgpt-4o-latest', '2026-11-20'),
  o1: openai('o1', '2026-11-20'),
  o3: openai('o3', '2026-11-20'),
  o4: openai('o4-mini', '2026-11-20'),
  'gpt-5': openai('gpt-5', '2026-11-20', 400_000),
  'gpt-5-pro': openai('gpt-5-pro', '2026-11-28', 400_000),
  'gpt-5-chat': openai('gpt-5-chat-latest', '2026-11-20'),
  'gpt-5.1': openai('gpt-5.1', '2026-11-23'),
  'gpt-5.2': openai('gpt-5.2', '2026-11-23'),
  'gpt-5.3': openai('gpt-5.3-codex', '2026-11-23'),
  'gpt-5.4': openai('gpt-5.4', '2026-11-23'),
  'gpt-5.5': openai('gpt-5.5', '2026-11-28', 1_050_000),
  'gpt-5.6': openai('gpt-5.6-sol', '2026-11-24'),
  'gpt-6-astra': SIXTH,
  'gpt-6-sol': SIXTH,
  'gpt-6-luna': SIXTH,
  'gpt-6.1-sol': SIXTH,
  'gpt-6.1-terra': SIXTH,
  'gpt-6.2': openai('gpt-6.2-astra', '2026-11-28', 1_050_000),
} as const satisfies Readonly<Record<string, Source>>;

/** The card of the open weights. */
export const GPT_OSS: Source = {
  page: 'https://huggingface.co/openai/gpt-oss-120b',
  checked: '2026-11-23',
  window: 131_072,
};

export const RESPONSES_SOURCES: SourcesOf<typeof RESPONSES> = {
  ...OPENAI_SOURCES,
  'codex-': openai('codex-mini-latest', '2026-11-20'),
  'gpt-5-codex': openai('gpt-5-codex', '2026-11-20'),
  'computer-use': openai('computer-use-preview', '2026-11-20'),
  'gpt-oss': GPT_OSS,
};

const GEMINI = 'https://ai.google.dev/gemini-api/docs';
const GEMINI_MODELS: Source = { page: `${GEMINI}/models`, checked: '2026-11-20' };
const GEMINI_THINKING: Source = { page: `${GEMINI}/thinking`, checked: '2026-11-20' };

export const GENERATE_CONTENT_SOURCES: SourcesOf<typeof GENERATE_CONTENT> = {
  'gemini-1.': GEMINI_MODELS,
  'gemini-2.0': GEMINI_MODELS,
  'gemini-2.0-flash-preview-image-generation': GEMINI_MODELS,
  'gemini-2.0-flash-exp-image-generation': GEMINI_MODELS,
  'gemini-2.5': GEMINI_THINKING,
  'gemini-2.5-computer-use': { page: `${GEMINI}/computer-use`, checked: '2026-11-20' },
  'gemini-2.5-pro': GEMINI_THINKING,
  'gemini-2.5-flash-lite': GEMINI_THINKING,
  'gemini-2.5-flash-image': { page: `${GEMINI}/image-generation`, checked: '2026-11-20' },
  'gemini-3-': {
    page: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/3-flash',
    checked: '2026-11-28',
    window: 1_048_576,
  },
  'gemini-3-pro': GEMINI_THINKING,
  'gemini-3-pro-image': { page: `${GEMINI}/image-generation`, checked: '2026-11-20' },
  'gemini-3.1': GEMINI_THINKING,
  'gemini-3.1-pro': GEMINI_THINKING,
  'gemini-3.1-flash-image': { page: `${GEMINI}/image-generation`, checked: '2026-11-20' },
  'gemini-3.1-flash-lite': { ...GEMINI_THINKING, checked: '2026-11-24' },
  'gemini-3.5': { page: `${GEMINI}/whats-new-gemini-3.5`, checked: '2026-11-28' },
  'gemini-3.5-flash-lite': { ...GEMINI_THINKING, checked: '2026-11-24' },
  'gemini-3.6': { ...GEMINI_THINKING, checked: '2026-11-24' },
  'gemini-3.7': { page: `${GEMINI}/whats-new-gemini-3.7`, checked: '2026-11-24' },
  'gemini-3.8': { page: `${GEMINI}/whats-new-gemini-3.7`, checked: '2026-11-24' },
  'gemma-3': { page: 'https://ai.google.dev/gemma/docs/core', checked: '2026-11-20' },
};
