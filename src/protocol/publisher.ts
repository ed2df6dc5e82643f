import type { DialectId, Edit, EncodedRequest, ServiceDialect } from '../../translators/index.js';
import { gatewayDialects } from '../dialects/index.js';
import type { Host } from './host.js';

/** The publisher that the root of a service names at its end, and its dialect. */
export function publisherIn(
  root: string,
): { readonly name: 'google' | 'anthropic'; readonly dialect: DialectId } | undefined {
  const name = /\/publishers\/([a-z]+)$/.exec(root)?.[1];
  for (const { id, service } of gatewayDialects)
    if (service.publisher !== undefined && service.publisher === name) return { name: service.publisher, dialect: id };
  return undefined;
}

/** The version of the protocol for publishers that are called by path: it stands in the body. */
const VERSION = 'vertex-2023-10-16';

/**
 * The path of a call to a host of the dialect of `service`. Below a publisher whose dialect names the model in its body, the path does: the call is passed on to
 * the publisher's own server, as it is.
 */
export function pathOf(
  { publisher }: Host,
  service: Pick<ServiceDialect, 'endpoint'>,
  operation: 'create' | 'count',
  sent: { readonly model: string; readonly stream: boolean },
): string {
  if (publisher !== 'anthropic') return service.endpoint(operation, sent);
  if (operation === 'count') return '/models/count-tokens:rawPredict';
  const model = encodeURIComponent(sent.model).replaceAll('%40', '@');
  return `/models/${model}:${sent.stream ? 'streamRawPredict' : 'rawPredict'}`;
}

/** Whether the query of a client's call means something to the backend. */
export function takesQuery({ publisher }: Host): boolean {
  return publisher !== 'anthropic';
}

/** What a client's own body has to say otherwise below a publisher. */
export function publisherEdits({ publisher }: Host, operation: 'create' | 'count'): Readonly<Record<string, Edit>> {
  if (publisher !== 'anthropic') return {};
  const version = { json: JSON.stringify(VERSION), add: true };
  return operation === 'count' ? { anthropic_version: version } : { anthropic_version: version, model: 'remove' };
}

/** The same for a body that was made here. */
export function publisherBody(
  { publisher }: Host,
  operation: 'create' | 'count',
  body: EncodedRequest['body'],
): EncodedRequest['body'] {
  if (publisher !== 'anthropic') return body;
  const { model, ...others } = body;
  return { anthropic_version: VERSION, ...(operation === 'count' && { model }), ...others };
}
