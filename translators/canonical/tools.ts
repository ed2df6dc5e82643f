import type { CacheMark, JsonObject, Node } from './node.js';

/** Tool families that a backend runs itself. */
export type HostedFamily =
  | 'webSearch'
  | 'urlFetch'
  | 'codeExec'
  | 'fileSearch'
  | 'mcp'
  | 'imageGen'
  | 'toolSearch'
  | 'maps'
  | 'advisor'
  | 'other';

/** Built-in tool families that the client runs. */
export type ClientFamily = 'computer' | 'bash' | 'editor' | 'shell' | 'localShell' | 'patch' | 'memory' | 'browser';

interface ToolFields extends Node {
  readonly cache?: CacheMark;
}

/** A function with a JSON Schema. */
export interface FunctionTool extends ToolFields {
  readonly kind: 'function';
  readonly name: string;
  readonly namespace?: string;
  readonly namespaceDescription?: string;
  readonly description?: string;
  /** JSON Schema as the source gave it; absent = no parameters. */
  readonly schema?: JsonObject;
  readonly strict?: boolean;
  readonly inputExamples?: readonly unknown[];
  /** The function replaces a built-in tool of the client, whose name it keeps. */
  readonly standsFor?: ClientFamily;
}

/** A tool whose input is free text. */
export interface CustomTool extends ToolFields {
  readonly kind: 'custom';
  readonly name: string;
  readonly namespace?: string;
  readonly namespaceDescription?: string;
  readonly description?: string;
  readonly grammar?: { readonly syntax: string; readonly definition: string };
}

export interface UserLocation {
  readonly city?: string;
  readonly region?: string;
  readonly country?: string;
  readonly timezone?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Settings of a hosted tool; each field means the same in every dialect that has it. Anything else is in the bag. */
export interface HostedSettings {
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly userLocation?: UserLocation;
  /** `low`, `medium`, `high`. */
  readonly contextSize?: string;
  readonly maxUses?: number;
  /** codeExec: id of a container, or ids of files for a fresh one. */
  readonly containerId?: string;
  readonly fileIds?: readonly string[];
  /** fileSearch: ids of vector stores. */
  readonly storeIds?: readonly string[];
  /** mcp. */
  readonly server?: {
    readonly label: string;
    readonly url?: string;
    readonly authorization?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly allowedTools?: readonly string[];
    /** Some of its tools are forbidden in words that are no list of the allowed ones, and that only its dialect has. */
    readonly restricted?: true;
    /** `never`, `always`, or a filter object; absent = the dialect's default. */
    readonly approval?: string | JsonObject;
    readonly connectorId?: string;
  };
  /** imageGen. */
  readonly image?: JsonObject;
}

/** A tool that the backend runs. `type` is the word on the wire (or the key). */
export interface HostedTool extends ToolFields {
  readonly kind: 'hosted';
  readonly family: HostedFamily;
  readonly dialect: string;
  readonly type: string;
  readonly settings: HostedSettings;
}

/** A built-in tool that the client runs. */
export interface ClientTool extends ToolFields {
  readonly kind: 'client';
  readonly family: ClientFamily;
  readonly dialect: string;
  readonly type: string;
  /** The name calls carry, where the family has a fixed one. */
  readonly name?: string;
  readonly display?: { readonly width?: number; readonly height?: number };
  /** What the computer is: `browser`, `linux`, `mac`, `windows`, `mobile`, `desktop` (open). */
  readonly environment?: string;
  /** A set of tools, one for each action: its calls have their names. */
  readonly toolset?: boolean;
}

/** A tool that only one dialect knows, as it came. */
export interface OpaqueTool extends ToolFields {
  readonly kind: 'opaque';
  readonly dialect: string;
  readonly type: string;
  readonly raw: JsonObject;
}

export type Tool = FunctionTool | CustomTool | HostedTool | ClientTool | OpaqueTool;

/** Names one tool in a choice or an allowed list. */
export type ToolRef =
  | { readonly kind: 'function' | 'custom'; readonly name: string; readonly namespace?: string }
  | { readonly kind: 'hosted'; readonly family: HostedFamily; readonly type: string }
  | { readonly kind: 'client'; readonly family: ClientFamily; readonly type: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly name?: string }
  | { readonly kind: 'opaque'; readonly dialect: string; readonly raw: JsonObject };

/** One forced tool is `required` with one entry in `only`. */
export interface ToolChoice extends Node {
  readonly mode: 'auto' | 'required' | 'none';
  readonly only?: readonly ToolRef[];
  /** false: at most one call at a time. */
  readonly parallel?: boolean;
  /** Calls are held to their schemas. */
  readonly validated?: boolean;
}

/** Whether a tool has a name of the client's choice. */
export function isNamed(tool: Tool): tool is FunctionTool | CustomTool {
  return tool.kind === 'function' || tool.kind === 'custom';
}
