import type { DialectId, HostFeature } from '../../translators/index.js';

/**
 * How a host record, and the entry of a backend, say that a row does not hold: by features that are listed as unsupported, or by a word of the
 * profile (with its values while it holds and while it does not). One vocabulary: `unsupported` and `profile` (configuration.md#keys).
 */
export type Says =
  /** The first is the one that is tried; where it fails the others do, too. */
  | { readonly features: readonly HostFeature[] }
  | { readonly word: string; readonly holds: unknown; readonly fails: unknown }
  /** A word with more than two values, of which the row holds with these; what is written follows from several rows. */
  | { readonly word: string; readonly among: readonly unknown[] };

/** One thing that an endpoint may do, or not. */
export interface Row {
  /** As the table shows it. */
  readonly title: string;
  /** It hangs on the model as well, so that it is no evidence against the record of a host. */
  readonly ofModel?: true;
  /** The endpoints that it is asked of, each with what a record says of it; `undefined` = there is no word for it. */
  readonly at: Readonly<Partial<Record<DialectId, Says | undefined>>>;
}

const features = (...list: readonly HostFeature[]): Says => ({ features: list });
const word = (name: string, holds: unknown = true, fails: unknown = false): Says => ({
  word: name,
  holds,
  fails,
});

const choice = (...among: readonly string[]): Says => ({ word: 'server.toolChoice', among });

const EVERYWHERE = {
  chatCompletions: undefined,
  messages: undefined,
  responses: undefined,
  generateContent: undefined,
} as const;

/** All rows, in the order of the table. */
export const ROWS = {
  tools: { title: 'tools', at: { ...EVERYWHERE, chatCompletions: word('server.maxTools', 128, 0) } },
  forced: {
    title: 'a forced call',
    at: {
      ...EVERYWHERE,
      chatCompletions: choice('all', 'noNamed'),
      messages: features('toolChoice'),
      responses: features('toolChoice'),
    },
  },
  named: {
    title: 'a tool by name',
    at: {
      ...EVERYWHERE,
      chatCompletions: choice('all'),
      messages: features('namedToolChoice'),
      responses: features('namedToolChoice'),
    },
  },
  none: {
    title: 'no call though tools are there',
    at: {
      ...EVERYWHERE,
      chatCompletions: choice('all', 'noNamed', 'auto'),
      messages: features('noneToolChoice'),
      responses: features('toolChoice'),
    },
  },
  allowed: {
    title: 'some of the tools',
    at: {
      chatCompletions: word('server.allowedTools'),
      responses: features('allowedTools'),
      generateContent: undefined,
    },
  },
  parallel: {
    title: 'parallel calls off',
    at: {
      chatCompletions: word('server.parallelField'),
      messages: features('parallelSwitch'),
      responses: features('parallelSwitch'),
    },
  },
  strictTools: {
    title: 'strict tools',
    at: { chatCompletions: word('strictTools'), messages: word('strictTools'), responses: word('strictTools') },
  },
  vendorTools: {
    title: 'tools of other types',
    at: {
      chatCompletions: word('server.customTools'),
      messages: features('clientTools', 'hostedTools', 'mcp', 'containers'),
      responses: features(
        'customTools',
        'namespaces',
        'toolSearch',
        'additionalTools',
        'hostedTools',
        'codexItems',
        'mcp',
      ),
    },
  },
  schema: {
    title: 'answers by a schema',
    at: {
      chatCompletions: word('schemaOutput'),
      messages: features('outputFormat'),
      responses: features('outputFormat'),
      generateContent: word('schemaOutput'),
    },
  },
  schemaWithTools: {
    title: 'a schema beside tools',
    at: {
      chatCompletions: word('schemaWithTools'),
      messages: word('schemaWithTools'),
      responses: word('schemaWithTools'),
      generateContent: word('schemaWithTools'),
    },
  },
  thoughts: { ofModel: true, title: 'thinks without being asked', at: EVERYWHERE },
  thinkingOn: { ofModel: true, title: 'thinking on', at: EVERYWHERE },
  thinkingOff: {
    ofModel: true,
    title: 'thinking off',
    at: { ...EVERYWHERE, messages: features('thinkingOff'), responses: features('thinkingOff') },
  },
  effort: {
    ofModel: true,
    title: 'levels of thinking',
    at: { chatCompletions: undefined, messages: features('effort'), responses: features('effort') },
  },
  adaptive: { ofModel: true, title: 'adaptive thinking', at: { messages: features('adaptive') } },
  budget: {
    ofModel: true,
    title: 'a budget for thinking',
    at: { messages: features('thinkingBudget'), generateContent: undefined },
  },
  pictures: {
    ofModel: true,
    title: 'pictures',
    at: {
      chatCompletions: word('server.imageParts'),
      messages: features('images'),
      responses: features('images'),
      generateContent: undefined,
    },
  },
  documents: {
    title: 'documents',
    at: {
      chatCompletions: word('server.fileParts', 'data', 'none'),
      messages: features('documents'),
      responses: features('documents'),
      generateContent: undefined,
    },
  },
  cap: { title: 'a cap of tokens', at: { ...EVERYWHERE, chatCompletions: undefined } },
  newerCap: { title: 'max_completion_tokens', at: { chatCompletions: word('server.readsNewerCap') } },
  largeCap: { ofModel: true, title: 'a cap above the window', at: EVERYWHERE },
  cut: { title: 'says that it was cut', at: { ...EVERYWHERE, responses: features('cutStatus') } },
  stop: {
    title: 'stop strings',
    at: {
      chatCompletions: word('server.stopMax', 4, 0),
      messages: undefined,
      responses: word('addedSettings.stop'),
      generateContent: undefined,
    },
  },
  seed: {
    title: 'a seed',
    at: { chatCompletions: word('server.seedField', 'seed', 'none'), generateContent: undefined },
  },
  choices: { title: 'two answers at once', at: { chatCompletions: undefined, generateContent: undefined } },
  logprobs: {
    title: 'log probabilities',
    at: { chatCompletions: word('server.logprobs'), responses: features('logprobs') },
  },
  stream: { title: 'streams end as they should', at: EVERYWHERE },
  streamEvents: { title: 'indexes in streams', at: { responses: features('streamEvents') } },
  usage: { title: 'tokens are counted', at: EVERYWHERE },
  streamUsage: {
    title: 'tokens are counted in streams',
    at: { ...EVERYWHERE, chatCompletions: word('server.streamUsage') },
  },
  cached: { title: 'cached tokens are reported', at: EVERYWHERE },
  resultParts: {
    title: 'results of tools in parts',
    at: { messages: undefined, responses: features('resultParts') },
  },
  nullContent: {
    title: 'calls with null as content',
    at: { chatCompletions: word('server.emptyContent', 'null', 'omit') },
  },
  emptyAnswer: { title: 'a list for an empty answer', at: { messages: features('contentList') } },
  prefill: {
    ofModel: true,
    title: 'a begun answer is continued',
    at: { chatCompletions: word('prefill'), messages: features('prefill') },
  },
  counting: {
    title: 'counts tokens of requests',
    at: { messages: features('countTokens'), responses: features('inputTokens'), generateContent: undefined },
  },
  unknown: {
    title: 'bears unknown members',
    at: {
      chatCompletions: word('server.strictBody', false, true),
      messages: features('unknownKeys'),
      responses: features('unknownKeys'),
    },
  },
  errors: { title: 'errors as the dialect has them', at: EVERYWHERE },
  cancel: { title: 'free after a client left', at: EVERYWHERE },
} as const satisfies Readonly<Record<string, Row>>;

export type RowName = keyof typeof ROWS;

/** The names of all rows, in the order of the table. */
export const ROW_NAMES = Object.keys(ROWS) as readonly RowName[];

/** The row of a name. */
export function rowOf(name: RowName): Row {
  return ROWS[name];
}

/** Whether an endpoint of the dialect is asked for a row. */
export function isAsked(name: RowName, dialect: DialectId): boolean {
  return dialect in rowOf(name).at;
}

/** What a record says of a row at an endpoint of the dialect. */
export function saysOf(name: RowName, dialect: DialectId): Says | undefined {
  return rowOf(name).at[dialect];
}
