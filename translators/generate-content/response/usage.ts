import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Usage } from '../../canonical/response.js';
import { isObject } from '../../wire/json.js';
import { sourceAt } from '../../wire/memory.js';
import { remember } from '../nodes.js';

/**
 * Reads `usageMetadata` (translation.md 5.3). undefined when it holds no counts: some hosts send only a traffic type in
 * the middle of a stream.
 */
export function decodeUsage(value: unknown): Usage | undefined {
  return read(value, isApart(value));
}

function read(value: unknown, apart: boolean): Usage | undefined {
  if (!isObject(value)) return undefined;
  const promptTokenCount = countOf(value.promptTokenCount);
  const candidatesTokenCount = countOf(value.candidatesTokenCount);
  const totalTokenCount = countOf(value.totalTokenCount);
  if (promptTokenCount === undefined && totalTokenCount === undefined && candidatesTokenCount === undefined) {
    return undefined;
  }
  const cacheRead = countOf(value.cachedContentTokenCount);
  const reasoning = countOf(value.thoughtsTokenCount);
  const toolInput = countOf(value.toolUsePromptTokenCount);
  const input = (promptTokenCount ?? 0) + (toolInput ?? 0);
  const visible = candidatesTokenCount ?? 0;
  const thoughts = reasoning ?? 0;
  const inside = thoughts > 0 && input + visible === totalTokenCount;
  const usage: Usage = {
    input,
    cacheRead,
    toolInput,
    output: inside ? visible : visible + thoughts,
    reasoning,
    apart: apart || undefined,
    src: sourceAt('/usageMetadata'),
  };
  return remember(usage, value);
}

/** What the counts by kind of content are called. */
const BY_KIND = [
  'promptTokensDetails',
  'cacheTokensDetails',
  'candidatesTokensDetails',
  'toolUsePromptTokensDetails',
] as const;

/** The counts at the end of a stream, where some are not of text; undefined where all are. Of snapshots nobody asks. */
export function apartUsage(counted: Usage | undefined, node: unknown): Usage | undefined {
  if (counted === undefined || !isObject(node) || !isApart(node)) return undefined;
  const usage: Usage = { ...counted, apart: true };
  return remember(usage, node);
}

/** Whether some of the counts are not of text, or of calls that were paid for in another way. */
function isApart(node: unknown): boolean {
  if (!isObject(node)) return false;
  const { trafficType } = node;
  if (typeof trafficType === 'string' && trafficType !== 'ON_DEMAND') return true;
  return BY_KIND.some((key) => {
    const details = node[key];
    return Array.isArray(details) && details.some((one) => isObject(one) && one.modality !== 'TEXT');
  });
}

/** Counters that the service leaves out where they are 0. */
const OMITTED = ['cacheRead', 'toolInput', 'reasoning'] as const;

/**
 * The next snapshot of a stream: the last one counts as a whole (translation.md 5.3), so that a counter which only an
 * `earlier` one had is 0.
 */
export function nextUsage(earlier: Usage | undefined, value: unknown): Usage | undefined {
  const usage = read(value, false);
  if (usage === undefined || earlier === undefined || !leavesOut(usage, earlier)) return usage;
  const gone = OMITTED.filter((key) => usage[key] === undefined && earlier[key] !== undefined);
  return { ...usage, ...Object.fromEntries(gone.map((key) => [key, 0])) };
}

function leavesOut(usage: Usage, earlier: Usage): boolean {
  return (
    (earlier.cacheRead !== undefined && usage.cacheRead === undefined) ||
    (earlier.toolInput !== undefined && usage.toolInput === undefined) ||
    (earlier.reasoning !== undefined && usage.reasoning === undefined)
  );
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Encodes counts; zeros are left out, but for the prompt and the total ([G §2.1.9]). */
export function encodeUsage(usage: Usage): JsonObject {
  const toolInput = usage.toolInput ?? 0;
  const reasoning = usage.reasoning ?? 0;
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  const prompt = Math.max(0, input - toolInput);
  const candidates = Math.max(0, output - reasoning);
  return {
    promptTokenCount: prompt,
    ...some('cachedContentTokenCount', usage.cacheRead),
    ...some('candidatesTokenCount', candidates),
    ...some('toolUsePromptTokenCount', usage.toolInput),
    ...some('thoughtsTokenCount', usage.reasoning),
    totalTokenCount: prompt + candidates + toolInput + reasoning,
  };
}

/** Reports counts that this dialect has no field for, and those that had to be made to fit. */
export function reportUsage(usage: Usage, losses: Losses): void {
  const { input, output, toolInput = 0, reasoning = 0 } = usage;
  if (input === undefined || output === undefined) {
    losses.add(usage, 'usage', 'approximated', 'counts that the backend did not report are reported as 0');
  }
  if (toolInput > (input ?? 0) || reasoning > (output ?? 0)) {
    losses.add(usage, 'usage', 'approximated', 'a part was larger than its whole');
  }
  if ((usage.cacheWrite ?? 0) > 0) {
    losses.add(usage, 'usage', 'dropped', 'the target cannot report tokens written to the cache');
  }
  if (usage.hosted !== undefined && Object.values(usage.hosted).some((count) => count > 0)) {
    losses.add(usage, 'usage', 'dropped', 'the target cannot report the number of hosted calls');
  }
}

function some(key: string, value: number | undefined): JsonObject {
  return value === undefined || value === 0 ? {} : { [key]: value };
}
