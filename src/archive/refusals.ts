import { Failure } from '../ground/plain/index.js';

/** The answer that a request continues is not known, or only where the model is not served. */
export function notFound(id: string, owner: string | undefined): Failure {
  const why = owner === undefined ? '' : `: the backend ${owner} keeps it, and the model is served by another`;
  return new Failure({
    kind: 'invalid_request',
    message: `Previous response with id '${id}' not found${why}.`,
    path: '/previous_response_id',
    code: 'previous_response_not_found',
  });
}

/** What is given can name no answer. */
export function noText(): Failure {
  return new Failure({
    kind: 'invalid_request',
    message: 'previous_response_id: must be a string',
    path: '/previous_response_id',
  });
}

/** The answer that a request continues is still being made. */
export function inProgress(id: string): Failure {
  return new Failure({
    kind: 'conflict',
    message: `Response with id '${id}' is still in progress.`,
    path: '/previous_response_id',
  });
}

/** An item that a request refers to is not known. */
export function noItem(id: string): Failure {
  return new Failure({ kind: 'not_found', message: `Item with id '${id}' not found.`, path: '/input' });
}

/** A request names more stored items than are looked up for one. */
export function tooManyReferences(most: number): Failure {
  const message = `the input refers to more stored items than one request may name (limits.references: ${most})`;
  return new Failure({ kind: 'invalid_request', message, path: '/input' });
}

/** What a request continues and refers to is more than is loaded for one. */
export function historyTooLarge(mostMb: number): Failure {
  const message = `the stored conversation is larger than what is loaded for one request (limits.historyMb: ${mostMb})`;
  return new Failure({ kind: 'invalid_request', message, path: '/previous_response_id' });
}

/** Conversation objects are the service's own. */
export function noConversations(): Failure {
  return new Failure({
    kind: 'unsupported',
    message: 'conversation objects are not kept here; continue with previous_response_id instead',
    path: '/conversation',
  });
}

/** A request continues an answer or a conversation, not both. */
export function bothGiven(): Failure {
  return new Failure({
    kind: 'invalid_request',
    message: 'only one of previous_response_id and conversation can be given',
    path: '/previous_response_id',
    code: 'mutually_exclusive_parameters',
  });
}

/** There is no answer of this id, or it is another caller's. */
export function noResponse(id: string): Failure {
  return new Failure({ kind: 'not_found', status: 404, message: `Response with id '${id.slice(0, 200)}' not found.` });
}

/** Asked for its stream, an answer has none. */
export function notStreamed(message = 'this response was not created with stream=true'): Failure {
  return new Failure({ kind: 'invalid_request', message, path: '/$url/stream' });
}
