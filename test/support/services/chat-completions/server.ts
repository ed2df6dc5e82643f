/** How a server that speaks the protocol prints its answers; what is left out is OpenAI's manner [H §6, §7]. */
export interface Server {
  /** Where reasoning stands in a message and its deltas [H §3.3]; nowhere unless given. */
  readonly reasoning?: 'reasoning_content' | 'reasoning' | 'details' | 'chunks';
  /** Calls carry a signature in `extra_content` [H §8.1]. */
  readonly signsCalls?: boolean;
  /** The form of a call's id [H §4.4]. */
  readonly callId?: 'call' | 'nine' | 'numbered' | 'empty';
  /** The content of a message with calls only [H §6.1]; left out where it is undefined. */
  readonly emptyContent?: { readonly content?: '' | null };
  /** The word of the stop sequence that ended the answer, on its choice [H §6.1]. */
  readonly tellsStop?: boolean;
  /** Counts beside the standard ones, or in place of them [H §6.3]. */
  readonly usage?: 'deepseek' | 'mistral' | 'gemini';
  readonly stream?: StreamManner;
  readonly errors?: 'flat' | 'array' | 'numeric';
}

/** How a stream is framed and cut [H §7.1-7.3]. */
export interface StreamManner {
  /** A first chunk without a choice, which names neither id nor model. */
  readonly emptyHead?: boolean;
  /** A comment in front of the first chunk. */
  readonly comment?: string;
  /** Lines end as in HTTP heads. */
  readonly crlf?: boolean;
  readonly roleInEveryChunk?: boolean;
  /** A call comes in one delta; `unnumbered` is without its index, `same` with the index 0 for all. */
  readonly calls?: 'whole' | 'unnumbered' | 'same';
  /** The finish stands in the last chunk that has content. */
  readonly finishWithContent?: boolean;
  /** Usage in the finish chunk, or in every chunk; in its own chunk, if asked for, unless given. */
  readonly usage?: 'finish' | 'every';
  readonly withoutDone?: boolean;
  /** The key of a padding text in chunks with content. */
  readonly padding?: 'obfuscation' | 'p';
}

/** The servers that a fake can stand for. `compatible` is nobody in particular: OpenAI's forms with reasoning shown. */
export const SERVERS = {
  openai: { stream: { padding: 'obfuscation' } },
  compatible: { reasoning: 'reasoning_content', tellsStop: true },
  azure: { stream: { emptyHead: true } },
  deepseek: {
    reasoning: 'reasoning_content',
    emptyContent: { content: '' },
    usage: 'deepseek',
    stream: { comment: 'keep-alive', usage: 'finish' },
  },
  kimi: { reasoning: 'reasoning_content', callId: 'numbered', stream: { usage: 'finish', finishWithContent: true } },
  mistral: {
    reasoning: 'chunks',
    callId: 'nine',
    emptyContent: { content: '' },
    usage: 'mistral',
    stream: { calls: 'whole', usage: 'finish', finishWithContent: true, padding: 'p' },
    errors: 'flat',
  },
  openrouter: {
    reasoning: 'details',
    stream: { comment: 'OPENROUTER PROCESSING', roleInEveryChunk: true },
    errors: 'numeric',
  },
  gemini: {
    signsCalls: true,
    emptyContent: {},
    usage: 'gemini',
    stream: { calls: 'same', usage: 'every' },
    errors: 'array',
  },
  perplexity: { stream: { crlf: true, usage: 'every', withoutDone: true, finishWithContent: true } },
  local: { reasoning: 'reasoning', stream: { calls: 'unnumbered' } },
} satisfies Readonly<Record<string, Server>>;

/** The name of a server in {@link SERVERS}. */
export type ServerName = keyof typeof SERVERS;
