import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import { isObject } from '../../../wire/json.js';
import type { Sources } from '../../content/citations.js';
import { type AnswerCodec, type HostedCodec, stringsOf } from './codec.js';

const STATUS = 'URL_RETRIEVAL_STATUS_';

/** Reading of addresses; which ones stands in the metadata of the candidate. */
export const urlFetch: HostedCodec = {
  tools: { urlContext: {} },
  toolTypes: ['URL_CONTEXT'],
  decodeInput: (args) => ({ url: (typeof args.url === 'string' ? args.url : stringsOf(args.urls)[0]) ?? '' }),
  decodeOutput: (response) => ({ url: typeof response.url === 'string' ? response.url : '' }),
};

export const urlFetchAnswer: AnswerCodec = {
  needsCall: true,
  encodeResult({ output, isError }, call, sources) {
    // What failed often does not repeat its address.
    const url = output.url ?? call?.input.url;
    sources.addRetrieval({
      retrievedUrl: typeof url === 'string' ? url : '',
      urlRetrievalStatus: `${STATUS}${isError === true ? 'ERROR' : 'SUCCESS'}`,
    });
    return 'metadata';
  },
  shownKeys: ['url', 'status'],
  hiddenInput: ({ input }, result) =>
    result?.output.url === undefined || input.url === result.output.url ? [] : ['the address that was asked for'],
  hiddenOutput: (_result, failed) => (failed ? ['the reason of the failure'] : []),
};

/** The addresses that the service read, in either of the two forms of its metadata ([G §8]). */
export function decodeRetrievals(sources: Sources): (HostedCallPart | HostedResultPart)[] {
  const current = isObject(sources.urlContextMetadata) ? sources.urlContextMetadata.urlMetadata : undefined;
  const older = isObject(sources.urlRetrievalMetadata) ? sources.urlRetrievalMetadata.urlRetrievalContexts : undefined;
  const list = Array.isArray(current) ? current : Array.isArray(older) ? older : [];
  const retrieved = list.filter(isObject).filter(({ retrievedUrl }) => typeof retrievedUrl === 'string');
  return retrieved.flatMap(({ retrievedUrl: url, urlRetrievalStatus: word }, index) => {
    const status = typeof word === 'string' ? word.replace(STATUS, '').toLowerCase() : undefined;
    const failed = status !== undefined && status !== 'success';
    const common = {
      callId: `url_context_${index}`,
      family: 'urlFetch',
      src: { ptr: '/candidates/0/urlContextMetadata' },
    } as const;
    const output = { url, ...(status !== undefined && { status }) };
    return [
      { kind: 'hostedCall' as const, ...common, input: { url }, status: 'completed' },
      { kind: 'hostedResult' as const, ...common, output, ...(failed && { isError: true, errorCode: status }) },
    ];
  });
}
