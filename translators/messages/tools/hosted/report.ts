import { reportHostedCall, reportHostedResult, untoldKeys } from '../../../adapt/index.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject, parseJson } from '../../../wire/json.js';
import { changedNumber } from '../../../wire/json-numbers.js';
import { reportLost } from '../../content/encode.js';
import { pictureOf } from '../../content/media.js';
import { isFetchError, isSearchError, queryOf } from './encode.js';

/** How many searches and fetches an answer shows. */
export interface HostedCounts {
  readonly webSearch: number;
  readonly webFetch: number;
}

/** Reports what the pairs here do not say of the hosted calls they stand for. */
export interface HostedReporter {
  /** Whether the part may be shown: a result without its call may not. */
  report(part: HostedCallPart | HostedResultPart): boolean;
  /** How often the calls shown so far ran, by what the backends count. */
  readonly shown: HostedCounts;
  /** Nothing follows: calls for a picture that never came are lost. */
  end(): void;
}

/** A reporter for one answer. */
export function createHostedReporter(losses: Losses): HostedReporter {
  /** Calls for pictures, which only the picture can tell. */
  const awaited = new Map<string, HostedCallPart>();
  const calls = new Set<string>();
  const shown = { webSearch: 0, webFetch: 0 };

  const drop = (callId: string): void => {
    const call = awaited.get(callId);
    awaited.delete(callId);
    if (call !== undefined) reportLost(call, losses);
  };

  return {
    report(part) {
      const told = TOLD[part.family];
      if (part.family === 'imageGen') {
        if (part.kind === 'hostedCall') awaited.set(part.callId, part);
        else if (pictureOf(part) === undefined) drop(part.callId);
        else awaited.delete(part.callId);
      } else if (part.kind === 'hostedCall') {
        calls.add(part.callId);
        if (part.family === 'webSearch') shown.webSearch += 1;
        if (part.family === 'urlFetch') shown.webFetch += 1;
        if (told !== undefined) reportHostedCall(part, untoldInput(part), losses);
        else reportLost(part, losses);
      } else if (!calls.has(part.callId)) {
        losses.add(part.src?.ptr ?? '', 'hosted.output', 'dropped', 'its call is not in the answer');
        return false;
      } else if (told !== undefined) {
        reportHostedResult(part, untoldOutput(part, told), losses);
        const isPage = part.family === 'urlFetch' && part.isError !== true;
        if (isPage && typeof part.output.text !== 'string')
          losses.add(
            part.src?.ptr ?? '',
            'hosted.output',
            'invented',
            'the content of the page is unknown; its document is empty',
          );
      }
      return true;
    },
    shown,
    end() {
      for (const callId of [...awaited.keys()]) drop(callId);
    },
  };
}

/** Families with a pair, and the keys of what they bring that it shows. */
const TOLD: Readonly<Record<HostedFamily, readonly string[] | undefined>> = {
  webSearch: ['sources'],
  urlFetch: ['url', 'title', 'text'],
  codeExec: ['stdout', 'stderr', 'exitCode', 'timedOut'],
  mcp: ['text'],
  fileSearch: undefined,
  imageGen: undefined,
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};

function untoldInput({ family, input, status }: HostedCallPart): string[] {
  const untold: string[] = [];
  if (status === 'incomplete') untold.push('that it was cut');
  if (family === 'webSearch') {
    if (input.action !== undefined && input.action !== 'search') untold.push('that a page was opened');
    const { queries } = input;
    if (Array.isArray(queries) && (queries.length > 1 || queries.some((query) => query !== queryOf(input))))
      untold.push('further queries');
  }
  if (family === 'codeExec' && input.language !== undefined && input.language !== 'python') untold.push('the language');
  if (family === 'mcp' && !isExact(input.arguments)) untold.push('the exact arguments');
  return untold;
}

/** Whether the text is that of an object which survives as one. */
function isExact(text: unknown): boolean {
  if (typeof text !== 'string' || text === '') return true;
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) && changedNumber(text) === undefined;
}

function untoldOutput(part: HostedResultPart, told: readonly string[]): string[] {
  const { family, output, isError, errorCode } = part;
  const failed = isError === true;
  switch (family) {
    case 'webSearch':
      return failed
        ? [...untoldKeys(part, []), ...(isSearchError(errorCode) ? [] : ['the reason'])]
        : untoldKeys(part, told);
    case 'urlFetch': {
      if (failed) return [...untoldKeys(part, ['url', 'status']), ...(isFetchError(errorCode) ? [] : ['the reason'])];
      return untoldKeys(part, output.status === 'success' ? [...told, 'status'] : told);
    }
    case 'codeExec': {
      if (output.timedOut === true) return untoldKeys(part, ['timedOut']);
      return [...untoldKeys(part, told), ...(failed ? ['the reason'] : [])];
    }
    default:
      return [...untoldKeys(part, told), ...(errorCode === undefined ? [] : ['the reason'])];
  }
}
