import { reportHostedCall, reportHostedResult, untoldKeys } from '../../../adapt/index.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { queriesOf } from '../../content/grounding.js';

/** Where the hosted calls of another service's answer stand here (translation.md 5.1). */
type HostedPlace = 'parts' | 'metadata' | 'nowhere';

/**
 * Says where hosted calls go, and reports what is not told of them. A fetch or a picture is told by what it brought, so
 * that a call without it is lost; `end` reports those.
 */
interface HostedReporter {
  call(part: HostedCallPart): HostedPlace;
  result(part: HostedResultPart): HostedPlace;
  end(): void;
}

/** A reporter for one answer. */
export function createHostedReporter(losses: Losses): HostedReporter {
  /** Calls that only their result can tell. */
  const awaited = new Map<string, HostedCallPart>();
  const lost = new Set<string>();
  const seen = new Set<string>();

  const drop = (part: HostedCallPart): HostedPlace => {
    losses.add(part.src?.ptr ?? '', 'hosted.call', 'dropped', `a ${part.family} call cannot be shown here`);
    lost.add(part.callId);
    return 'nowhere';
  };

  return {
    call(part) {
      seen.add(part.callId);
      switch (part.family) {
        case 'codeExec':
          reportHostedCall(part, untoldInput(part), losses);
          return 'parts';
        case 'webSearch':
          if (queriesOf(part.input).length === 0) return drop(part);
          reportHostedCall(part, untoldInput(part), losses);
          return 'metadata';
        case 'urlFetch':
        case 'imageGen':
          awaited.set(part.callId, part);
          return part.family === 'urlFetch' ? 'metadata' : 'nowhere';
        case 'fileSearch':
        case 'mcp':
        case 'toolSearch':
        case 'maps':
        case 'advisor':
        case 'other':
          return drop(part);
        default:
          return part.family satisfies never;
      }
    },
    result(part) {
      if (lost.has(part.callId)) return 'nowhere';
      const alone = !seen.has(part.callId) && (part.family === 'webSearch' || part.family === 'urlFetch');
      if (alone || TOLD[part.family] === undefined) {
        losses.add(part.src?.ptr ?? '', 'hosted.output', 'dropped', 'its call is not in the answer');
        return 'nowhere';
      }
      const call = awaited.get(part.callId);
      awaited.delete(part.callId);
      if (part.family === 'imageGen' && !hasPicture(part)) {
        if (call !== undefined) drop(call);
        return 'nowhere';
      }
      if (call !== undefined) reportHostedCall(call, [...untoldInput(call), ...movedFrom(call, part)], losses);
      reportHostedResult(part, untoldOutput(part), losses);
      return part.family === 'codeExec' || part.family === 'imageGen' ? 'parts' : 'metadata';
    },
    end() {
      for (const call of awaited.values()) drop(call);
    },
  };
}

/** A fetch tells one address, that which answered. */
function movedFrom({ input }: HostedCallPart, { output }: HostedResultPart): string[] {
  return output.url === undefined || input.url === output.url ? [] : ['the address that was asked for'];
}

/** Whether a result of the image family brought a picture. */
function hasPicture({ output }: HostedResultPart): boolean {
  return typeof output.base64 === 'string' && output.base64 !== '';
}

function untoldInput({ family, input, status }: HostedCallPart): string[] {
  const untold: string[] = [];
  if (status === 'incomplete') untold.push('that it was cut');
  if (family === 'codeExec' && typeof input.language === 'string' && input.language !== 'python')
    untold.push('the language');
  if (family === 'webSearch' && input.action !== undefined && input.action !== 'search')
    untold.push('that a page was opened');
  if (family === 'imageGen' && input.prompt !== undefined) untold.push('the prompt');
  return untold;
}

/** Keys of what families bring that have a place here. */
const TOLD: Readonly<Record<HostedFamily, readonly string[] | undefined>> = {
  webSearch: ['sources'],
  urlFetch: ['url', 'status'],
  codeExec: ['stdout', 'exitCode', 'timedOut'],
  imageGen: ['base64', 'mime'],
  fileSearch: undefined,
  mcp: undefined,
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};

function untoldOutput(part: HostedResultPart): string[] {
  const { family, output, isError } = part;
  const untold = untoldKeys(part, TOLD[family] ?? []);
  const failed = isError === true;
  switch (family) {
    case 'webSearch':
      return [...untold, ...(hasAges(output.sources) ? ['ages of the pages'] : []), ...(failed ? ['the failure'] : [])];
    case 'urlFetch':
      return [...untold, ...(failed ? ['the reason of the failure'] : [])];
    case 'codeExec': {
      const { exitCode, timedOut } = output;
      if (typeof exitCode === 'number' && exitCode !== 0 && exitCode !== 1) untold.push('the exit code');
      return [...untold, ...(failed && timedOut !== true ? ['the reason of the failure'] : [])];
    }
    default:
      return [...untold, ...(failed ? ['the failure'] : [])];
  }
}

function hasAges(sources: unknown): boolean {
  return Array.isArray(sources) && sources.some((source) => typeof Object(source).pageAge === 'string');
}
