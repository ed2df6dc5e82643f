import { Failure } from '../ground/plain/index.js';

/** Longest name of a model [M §2.1]. */
const NAME_LIMIT = 256;

/** Names are data: they never get near a path unencoded. What can be no name at all is refused here. */
export function checkModelName(name: string, path: string): string {
  const reason = faultOfName(name);
  if (reason === undefined) return name;
  throw new Failure({ kind: 'invalid_request', message: `model: ${reason}`, path });
}

const UNPRINTABLE = /\p{Cc}|\p{Cs}/u;

function faultOfName(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > NAME_LIMIT) return `must not be longer than ${NAME_LIMIT} characters`;
  if (UNPRINTABLE.test(name)) return 'must not hold control characters';
  return undefined;
}

/** What may precede a model's id; prefixes may be doubled [G §1]. */
const PREFIX = /^(?:projects\/[^/]+\/locations\/[^/]+\/+)?(?:publishers\/[^/]+\/+)?(?:models\/+)*/;

/** The id in a resource name; names of other collections (`tunedModels/x`) are ids as they are. */
export function modelId(resource: string): string {
  return resource.replace(PREFIX, '');
}
