import { reportHostedCall, reportHostedResult, untoldKeys } from '../../../adapt/index.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';

/** Reports what of another service's hosted call, or of what it brought, its item does not say; `asked` is the call of a result. */
export function reportHosted(part: HostedCallPart | HostedResultPart, losses: Losses, asked?: HostedCallPart): void {
  if (part.kind === 'hostedCall') {
    reportHostedCall(part, untoldInput(part), losses);
    if (part.family === 'codeExec' && part.input.containerId === undefined)
      losses.add(part.src?.ptr ?? '', 'hosted.call', 'invented', 'the id of a container in which the code ran');
  } else reportHostedResult(part, untoldOutput(part, asked), losses);
}

function untoldInput({ family, input }: HostedCallPart): string[] {
  if (family === 'urlFetch') return ['that it was a fetch; it reads as a page that was opened'];
  return family === 'codeExec' && input.language !== undefined && input.language !== 'python' ? ['the language'] : [];
}

/** Keys of what families bring that stand in their items. */
const TOLD: Readonly<Record<HostedFamily, readonly string[] | undefined>> = {
  webSearch: ['sources'],
  urlFetch: ['url'],
  fileSearch: ['results'],
  codeExec: ['stdout'],
  mcp: ['text'],
  imageGen: ['base64', 'mime', 'revisedPrompt'],
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};

function untoldOutput(part: HostedResultPart, asked: HostedCallPart | undefined): string[] {
  const { family, output, errorCode } = part;
  const untold = untoldKeys(part, TOLD[family] ?? []).filter(
    (key) => !(key === 'exitCode' && output.exitCode === 0) && !(key === 'status' && output.status === 'success'),
  );
  if (family === 'urlFetch' && output.url !== undefined && output.url !== asked?.input.url)
    untold.push('the address that answered');
  if (family === 'webSearch' && sourcesOf(output.sources).some(({ title, pageAge }) => says(title) || says(pageAge)))
    untold.push('titles and ages of the pages');
  if (errorCode !== undefined) untold.push('the reason of the failure');
  return untold;
}

function sourcesOf(list: unknown): readonly { readonly title?: unknown; readonly pageAge?: unknown }[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function says(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
