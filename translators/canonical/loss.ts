import { ptrOf } from '../canonical/node.js';
import type { Source } from './node.js';

/** What happened to a value that did not cross unchanged (translation.md 0.6). */
export type LossKind =
  /** Nothing of it is in the output. */
  | 'dropped'
  /** Present, but weaker or different. */
  | 'approximated'
  /** Same meaning at another place; the target's decoder will not put it back. */
  | 'moved'
  /** The output says what the source did not. */
  | 'invented';

/** The closed list of features that a loss may name, each with one sentence for people. */
export const FEATURES = {
  'sampling.temperature': 'How random the choice of tokens is.',
  'sampling.topP': 'The share of probability from which tokens are drawn.',
  'sampling.topK': 'The number of candidates from which a token is drawn.',
  'sampling.seed': 'The seed that makes sampling repeatable.',
  'sampling.presencePenalty': 'The penalty for tokens that occurred already.',
  'sampling.frequencyPenalty': 'The penalty that grows with how often a token occurred.',
  'sampling.logitBias': 'Tokens that are made more or less likely.',
  stop: 'Strings at which the answer ends.',
  maxOutput: 'The cap on generated tokens.',
  maxToolCalls: 'The cap on calls of hosted tools.',
  candidates: 'The number of alternative answers.',
  logprobs: 'Log probabilities of the generated tokens.',
  verbosity: 'How verbose the answer should be.',
  prediction: 'Text that the answer will probably repeat.',
  modalities: 'The media in which the model answers.',
  image: 'Settings for images that the model generates.',
  'image.size': 'The size or shape of a generated image.',
  'image.quality': 'The quality of a generated image.',
  'image.style': 'The style of a generated image.',
  'image.background': 'The background of a generated image.',
  'image.format': 'The file format of a generated image.',
  'image.fidelity': 'How closely a picture follows the one it is made from.',
  'image.mask': 'Where a picture is to be changed.',
  'image.prompt': 'The words a picture is made from.',
  speech: 'Settings for speech that the model generates.',
  mediaResolution: 'The resolution at which media is read.',
  safety: 'Thresholds of the content filters.',
  'cache.mark': 'A cache breakpoint: the prompt is cached up to it.',
  'cache.key': 'The key that groups requests for the prompt cache.',
  'cache.ttl': 'How long a cached prompt lives.',
  'cache.auto': 'Cache breakpoints for a client whose own service caches by itself.',
  user: 'The stable id of the end user.',
  metadata: 'Labels that the caller attached.',
  tier: 'The service tier that was asked for or used.',
  thread: 'That the service keeps the conversation for the next request.',
  truncate: 'Whether old input may be dropped on overflow.',
  'include.detail': 'Extra detail that was asked for in the answer.',
  'instruction.authority': 'Whether an instruction is from the system or the developer.',
  'instruction.place': 'The position of an instruction in the conversation.',
  'instruction.media': 'Media inside an instruction.',
  'instruction.join': 'The borders between several instructions.',
  'text.blank': 'Text that is only whitespace.',
  'text.join': 'The borders between several texts.',
  'turn.name': 'The name of one speaker among several.',
  'turn.order': 'The order of text and calls in a turn.',
  'turn.inserted': 'A turn that the target requires and the source did not have.',
  'turn.prefill': 'A last assistant turn that the model should continue.',
  'part.refusal': 'The mark that a text is a refusal.',
  'part.phase': 'The phase of an assistant message.',
  'part.citation': 'Sources cited by a text.',
  'audio.state': 'Speech of the model that its service keeps.',
  'part.media': 'An image, document, audio, video or file.',
  'part.media.detail': 'The resolution at which an image is read.',
  'part.media.clip': 'The part of a video that is meant.',
  'part.media.mime': 'The type of a media part.',
  'part.media.filename': 'The name of a file.',
  'part.document': 'A document given as text or blocks, with its title and context.',
  'part.searchResult': 'A search result given by the client.',
  'part.opaque': 'A part that only one dialect knows.',
  'part.compaction': 'A compacted stretch of conversation.',
  'part.approval': 'Approval of a hosted call.',
  'part.toolChange': 'Tools added or removed in mid-conversation.',
  'part.handover': 'The mark that another model took over.',
  'call.id': 'The id that pairs a call with its result.',
  'call.name': 'The name of the called tool.',
  'call.args': 'The arguments of a call.',
  'call.freeform': 'The free text input of a custom tool.',
  'call.truncated': 'A call cut by the output limit.',
  'call.family': 'A call of a built-in client tool.',
  'result.missing': 'A call whose result is not in the conversation.',
  'result.orphan': 'A result whose call is not in the conversation.',
  'result.duplicate': 'A second result for one call.',
  'result.place': 'The place of a result in the conversation.',
  'result.json': 'A result given as a JSON object.',
  'result.error': 'The mark that a tool failed.',
  'result.media': 'Media inside a result.',
  'result.part': 'A part of a result that the target does not know.',
  'hosted.call': 'A call that the backend ran itself, and its result.',
  'hosted.output': 'Details of the result of a hosted call.',
  'reasoning.effort': 'The reasoning effort.',
  'reasoning.budget': 'The reasoning budget in tokens.',
  'reasoning.show': 'Whether and how reasoning is shown.',
  'reasoning.summary': 'Summaries of reasoning that the client did not request.',
  'reasoning.interleave': 'Reasoning between tool calls.',
  'reasoning.mode': 'Whether the model reasons.',
  'reasoning.state': 'Opaque reasoning state of its issuer.',
  'reasoning.text': 'Reasoning as text.',
  'tool.name': 'The name of a tool.',
  'tool.schema': 'The JSON Schema of a tool.',
  'tool.strict': 'Whether the tool schema is enforced.',
  'tool.custom': 'A tool with free text input.',
  'tool.namespace': 'The namespace of a tool.',
  'tool.examples': 'Example inputs of a tool.',
  'tool.duplicate': 'A second tool of the same name.',
  'tool.hosted': 'A tool that the backend runs.',
  'tool.hosted.settings': 'Settings of a tool that the backend runs.',
  'tool.client': 'A built-in tool that the client runs.',
  'tool.opaque': 'A tool that only one dialect knows.',
  toolChoice: 'Whether and which tools must be called.',
  'toolChoice.list': 'The list of tools that may be called.',
  'toolChoice.parallel': 'Whether several calls may be made at once.',
  'output.format': 'The format of the answer.',
  'output.schema': 'The JSON Schema of the answer.',
  'output.name': 'The name of the answer schema.',
  'output.description': 'The description of the answer schema.',
  'output.strict': 'Whether the answer schema is enforced.',
  'schema.root': 'A schema whose root is not an object.',
  'headers.beta': 'Feature names in a header of the client.',
  finish: 'Why the answer ended.',
  'choice.index': 'Which of several answers a part belongs to.',
  usage: 'Token counts.',
  'usage.input': 'The count of input tokens.',
  'usage.output': 'The count of output tokens.',
  telemetry: 'Telemetry: figures about the answer that do not change it.',
  'stream.arguments': 'Streaming of arguments in fragments.',
  searchEntryPoint: 'Search suggestions that the provider requires to be displayed.',
  handover: 'A change of model inside the answer.',
} as const satisfies Record<string, string>;

/** A dotted name of the canonical model, or `ext.<key>` for a key that only the source dialect knows. */
export type Feature = keyof typeof FEATURES | `ext.${string}`;

/** Something that did not cross unchanged. */
export interface Loss {
  /** JSON Pointer into the source body; `/$url/...` and `/$headers/...` for what came from there. */
  readonly path: string;
  readonly feature: Feature;
  readonly kind: LossKind;
  /** One sentence without user content. */
  readonly detail: string;
}

/**
 * What a loss is reported of: a node of the model, a request, whose settings are found by their features, a JSON Pointer
 * into the source body, or nothing, which is its root.
 */
export type LossSubject =
  | string
  | { readonly src?: Source | undefined; readonly at?: Readonly<Record<string, string>> | undefined }
  | undefined;

/** Collects losses of one translation. */
export interface Losses {
  readonly list: readonly Loss[];
  add(subject: LossSubject, feature: Feature, kind: LossKind, detail: string): void;
}

/** An empty collection. */
export function createLosses(): Losses {
  const list: Loss[] = [];
  return {
    list,
    add(subject, feature, kind, detail) {
      const path = typeof subject === 'string' ? subject : (subject?.at?.[feature] ?? ptrOf(subject));
      list.push({ path, feature, kind, detail });
    },
  };
}

/** Hints cannot change the answer; losing one never makes a strict translation refuse (translation.md 0.9). */
const HINTS = [
  'cache.*',
  'user',
  'metadata',
  'prediction',
  'turn.name',
  'tier',
  'include.*',
  'call.id',
  'text.blank',
  'usage',
  'usage.*',
  'telemetry',
  'headers.beta',
  'reasoning.show',
  'thread',
  'ext.client_metadata',
  'ext.display',
  'ext.search_content_types',
  'ext.store',
];

/** The detail of `reasoning.text` for thinking that was shown, and of which its issuer keeps nothing: a hint as well. */
export const NO_STATE = 'the issuer sent no state';

/** The detail of a dropped tool search: the tools that it would have found are declared next to the others. */
export const NO_TOOL_SEARCH = 'the service has no tool search tool';

/** The detail of servers of the MCP protocol, and of their calls, that a host does not call. */
export const NO_MCP = 'the host does not support MCP servers';

/** The detail of a schema whose only change is that its objects take no keys but those it names: what answers it fits the source. */
const CLOSED = 'narrower: additionalProperties';

/** The word in an `allow` list for what coding agents send by default and can do without (translation.md 0.9). */
export const AGENTS = 'agents';

/** The features that {@link AGENTS} stands for, and of some only the losses of one kind or detail. */
const AGENT_LOSSES: readonly (Pick<Loss, 'feature'> & Partial<Loss>)[] = [
  { feature: 'ext.context' },
  { feature: 'ext.context_management' },
  { feature: 'ext.output_config' },
  // The input survives as a string of a function, in the tool and in its calls.
  { feature: 'tool.custom', kind: 'approximated' },
  { feature: 'call.freeform', kind: 'approximated' },
  { feature: 'output.schema', kind: 'approximated', detail: CLOSED },
  { feature: 'tool.hosted', kind: 'dropped', detail: NO_TOOL_SEARCH },
  { feature: 'toolChoice.parallel' },
  { feature: 'verbosity' },
  { feature: 'instruction.place' },
  { feature: 'text.join' },
  { feature: 'maxOutput' },
  { feature: 'reasoning.budget' },
  { feature: 'reasoning.effort' },
  // They ask every model to think.
  { feature: 'reasoning.mode', kind: 'dropped' },
  // What a search for deferred tools found is named in words, and the tools are declared from the start.
  { feature: 'result.part', kind: 'approximated' },
];

/** Whether `feature` is named by one of `patterns`; a trailing `*` matches a family. */
export function matchesFeature(feature: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? feature.startsWith(pattern.slice(0, -1)) : feature === pattern,
  );
}

/** Whether a loss is one that `agents` stands for. */
function isAgentLoss(loss: Loss): boolean {
  return AGENT_LOSSES.some(
    ({ feature, kind = loss.kind, detail = loss.detail }) =>
      feature === loss.feature && kind === loss.kind && detail === loss.detail,
  );
}

/** Whether strict counts a loss: dropped or approximated, and no hint (translation.md 0.9). */
export function isCounted({ feature, kind, detail }: Loss): boolean {
  if (kind !== 'dropped' && kind !== 'approximated') return false;
  return !matchesFeature(feature, HINTS) && !(feature === 'reasoning.text' && detail === NO_STATE);
}

/** The losses for which strict refuses: those that count and that the caller does not allow. */
export function refusedLosses(losses: readonly Loss[], allow: readonly string[] = []): Loss[] {
  const agents = allow.includes(AGENTS);
  return losses.filter(
    (loss) => isCounted(loss) && !matchesFeature(loss.feature, allow) && !(agents && isAgentLoss(loss)),
  );
}
