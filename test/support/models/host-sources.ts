import type { FAMILIES } from '../../../translators/chat-completions/servers/models.js';
import type { HOSTS } from '../../../translators/hosts/index.js';
import { GPT_OSS, OPENAI_SOURCES, type Source, type SourcesOf } from './sources.js';

type Hosts = typeof HOSTS;

/** The names of rows that a host has of models in its chat completions. */
type PrefixOf<Row> = Row extends { readonly endpoints: { readonly chatCompletions: { readonly models: infer Models } } }
  ? Models extends readonly { readonly prefix: infer Prefix extends string }[]
    ? Prefix
    : never
  : never;

/** Hosts with such rows; `azure` has those of `openai`, whose models it serves. */
type WithRows = Exclude<
  { [Host in keyof Hosts]: [PrefixOf<Hosts[Host]>] extends [never] ? never : Host }[keyof Hosts],
  'azure'
>;

export type HostSources = {
  readonly [Host in WithRows]: Readonly<Record<PrefixOf<Hosts[Host]>, Source>>;
};

function read(page: string, checked = '2026-11-23'): Source {
  return { page, checked };
}

const GEMINI = read('https://ai.google.dev/gemini-api/docs/openai');
const GEMINI_LATER: Source = { ...GEMINI, checked: '2026-11-24' };
const SEARCH = read('https://developers.openai.com/api/docs/guides/tools-web-search');
const AUDIO = read('https://developers.openai.com/api/docs/guides/audio');
const GROK = read('https://docs.x.ai/docs/models');
const SONAR = read('https://docs.perplexity.ai/api-reference/chat-completions-post');
const OPENROUTER = read('https://openrouter.ai/docs/api/reference/overview');
const HARMONY = read('https://cookbook.openai.com/articles/openai-harmony');
const DEEPSEEK = read('https://api-docs.deepseek.com/guides/thinking_mode');

/** By host, its models that differ from what it has of all others. */
export const HOST_SOURCES: HostSources = {
  openai: {
    ...OPENAI_SOURCES,
    'gpt-4o-search': SEARCH,
    'gpt-4o-mini-search': SEARCH,
    'gpt-5-search': SEARCH,
    'gpt-4o-audio': AUDIO,
    'gpt-4o-mini-audio': AUDIO,
    'gpt-audio': AUDIO,
    'o1-mini': read('https://developers.openai.com/api/docs/models/o1-mini'),
  },
  gemini: {
    'gemini-1.': GEMINI,
    'gemini-2.': GEMINI,
    'gemini-2.5-pro': GEMINI,
    'gemini-': GEMINI_LATER,
    'gemini-3-': GEMINI,
    'gemini-3.1': GEMINI,
    'gemini-3.1-flash-lite': GEMINI_LATER,
    'gemini-3.5': GEMINI_LATER,
    'gemini-3.5-flash-lite': GEMINI_LATER,
    'gemini-3.6': GEMINI_LATER,
  },
  deepseek: { 'deepseek-chat': DEEPSEEK },
  mistral: {
    voxtral: read('https://docs.mistral.ai/capabilities/audio/'),
    'mistral-small': read('https://docs.mistral.ai/capabilities/reasoning/'),
  },
  xai: { 'grok-2': GROK, 'grok-3': GROK, 'grok-3-mini': GROK, 'grok-4.3': GROK },
  moonshot: { 'kimi-k3': read('https://platform.moonshot.ai/docs/api/chat') },
  zai: { 'glm-5.3': read('https://docs.z.ai/guides/capabilities/thinking-mode') },
  perplexity: { 'sonar-reasoning': SONAR, 'sonar-deep': SONAR },
  bedrock: { 'mistral.voxtral': read('https://docs.mistral.ai/capabilities/audio/') },
  ollama: { 'gpt-oss': read('https://docs.ollama.com/capabilities/thinking', '2026-11-24') },
  vllm: { 'gpt-oss': HARMONY },
  sglang: { 'gpt-oss': HARMONY },
  llamacpp: { 'gpt-oss': HARMONY },
  openrouter: {
    'gpt-': OPENROUTER,
    o1: OPENROUTER,
    o3: OPENROUTER,
    o4: OPENROUTER,
    'gpt-oss': OPENROUTER,
    claude: OPENROUTER,
  },
  groq: {
    'gpt-oss': read('https://console.groq.com/docs/reasoning'),
    qwen3: read('https://console.groq.com/docs/reasoning'),
  },
};

const MISTRAL = read('https://docs.mistral.ai/capabilities/function_calling/');
const KIMI = read('https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model');
const QWEN = read('https://huggingface.co/Qwen/Qwen3-8B');
const QWEN_CODER = read('https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct');
const OLDER_DEEPSEEK = read('https://api-docs.deepseek.com/guides/reasoning_model');

/** What the weights of a model need on any server. */
export const FAMILY_SOURCES: SourcesOf<typeof FAMILIES> = {
  mistral: MISTRAL,
  ministral: MISTRAL,
  devstral: MISTRAL,
  codestral: MISTRAL,
  magistral: MISTRAL,
  pixtral: MISTRAL,
  voxtral: MISTRAL,
  mixtral: MISTRAL,
  'open-mistral': MISTRAL,
  'open-mixtral': MISTRAL,
  kimi: KIMI,
  'kimi-k3': read('https://platform.moonshot.ai/docs/api/chat'),
  deepseek: DEEPSEEK,
  'deepseek-coder': OLDER_DEEPSEEK,
  'deepseek-v2': OLDER_DEEPSEEK,
  'deepseek-v2.5': OLDER_DEEPSEEK,
  'deepseek-v3': OLDER_DEEPSEEK,
  'deepseek-v3.1': OLDER_DEEPSEEK,
  'deepseek-v3.2': DEEPSEEK,
  'deepseek-r1': OLDER_DEEPSEEK,
  minimax: read('https://platform.minimax.io/docs/api-reference/text-openai-api'),
  qwen3: QWEN,
  'qwen3.': QWEN,
  'qwen3-coder': QWEN_CODER,
  'qwen-3-coder': QWEN_CODER,
  qwq: read('https://huggingface.co/Qwen/QwQ-32B'),
  'gpt-oss': GPT_OSS,
  gemma: read('https://ai.google.dev/gemma/docs/core/prompt-structure'),
  'o1-mini': read('https://developers.openai.com/api/docs/models/o1-mini'),
};
