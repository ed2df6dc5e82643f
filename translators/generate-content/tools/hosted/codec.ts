import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import type { SourceCollector } from '../../content/grounding.js';

/** How this dialect has one family of hosted tools. */
export interface HostedCodec {
  /** Keys of its declared tools in an entry of `tools` [G §2.5]; per key the lists that the model has, by field. */
  readonly tools?: Readonly<Record<string, Readonly<Record<string, ListSetting>>>>;
  /** Its words in `toolCall` and `toolResponse` [G §2.4]. */
  readonly toolTypes?: readonly string[];
  /** What such a call asks for, and what it brought; absent where that has no form in the model. */
  decodeInput?(args: JsonObject): JsonObject;
  decodeOutput?(response: JsonObject): JsonObject;
}

/**
 * What the entry of another dialect's tool says; the target has such a tool. Reports what is lost of its settings.
 * Throws `unsupported` where dropping one would widen what the model may do.
 */
export type ForeignTool = (tool: HostedTool, context: EncodeRequestContext) => JsonObject | readonly JsonObject[];

type ListSetting = 'blockedDomains' | 'storeIds';

/** A part, or a word for what was added to the metadata; undefined where there is nothing to show. */
export type Shown = JsonObject | 'metadata' | undefined;

/** How hosted calls appear in an answer (translation.md 5.1). */
export interface AnswerCodec {
  /** A result without its call cannot be shown. */
  readonly needsCall: boolean;
  /** Absent where a call is shown by what it brought alone. */
  encodeCall?(call: HostedCallPart, sources: SourceCollector): Shown;
  encodeResult(result: HostedResultPart, call: HostedCallPart | undefined, sources: SourceCollector): Shown;
  /** Keys of a result that are shown. */
  readonly shownKeys: readonly string[];
  /** What of a call is not shown. */
  hiddenInput?(call: HostedCallPart, result: HostedResultPart | undefined): readonly string[];
  /** What of a result is not shown, beyond further keys; `failed` ones have a reason. */
  hiddenOutput(result: HostedResultPart, failed: boolean): readonly string[];
}

/** Reports settings without a counterpart; coordinates of a place are encoded with the tool choice. */
export function dropSettings(tool: HostedTool, losses: Losses, kept: readonly (keyof HostedSettings)[] = []): void {
  const { userLocation } = tool.settings;
  const placed = userLocation?.latitude !== undefined && userLocation.longitude !== undefined;
  for (const [field, value] of Object.entries(tool.settings)) {
    if (value === undefined || (field === 'userLocation' && placed) || kept.some((key) => key === field)) continue;
    losses.add(fieldPlace(tool, field), 'tool.hosted.settings', 'dropped', `${field}: not supported by the target`);
  }
}

/** The entry of a tool that has no settings here. */
export const encodePlain: ForeignTool = (tool, { losses }) => {
  dropSettings(tool, losses);
  return {};
};

/** The strings of a list. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
