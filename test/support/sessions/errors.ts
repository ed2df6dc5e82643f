import { types } from 'node:util';
import Anthropic, { AnthropicError } from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import OpenAI, { OpenAIError } from 'openai';
import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../src/simulator/rules/index.js';
import { UnfinishedAnswer } from './session.js';

/** An SDK's error in no SDK's words. */
export interface DescribedError {
  /** Whether it is an error class of the SDK; a broken connection may surface as the platform's own. */
  readonly sdk: boolean;
  readonly name: string;
  readonly status?: number;
  /** The dialect's word for the kind of error: `error.type`, for generateContent `error.status`. */
  readonly type?: string;
  readonly code?: string;
  /** The server's text where the error holds one. */
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Reads what a user of the SDK can read from its error. What is no error of an SDK's making is thrown again. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof Anthropic.APIError) return describeMessages(error);
  if (error instanceof OpenAI.APIError) return describeResponses(error);
  if (error instanceof ApiError) return describeGenerateContent(error);
  const sdk = error instanceof AnthropicError || error instanceof OpenAIError;
  // Errors of the platform's fetch are made outside of the sandbox that tests run in, with another `Error`.
  if (!types.isNativeError(error)) throw new TypeError(`not an error: ${String(error)}`);
  if (error instanceof UnfinishedAnswer) throw error;
  return { sdk, name: error.constructor.name, message: error.message };
}

type Headers = { get(name: string): string | null } | undefined;

function describeMessages(error: InstanceType<typeof Anthropic.APIError>): DescribedError {
  const inner = objectOf(objectOf(error.error).error);
  return {
    sdk: true,
    name: error.constructor.name,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.type === null ? {} : { type: error.type }),
    message: stringOf(inner.message, error.message),
    ...readRetryAfter(error.headers),
  };
}

function describeResponses(error: InstanceType<typeof OpenAI.APIError>): DescribedError {
  const message = objectOf(error.error).message;
  return {
    sdk: true,
    name: error.constructor.name,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.type ? { type: error.type } : {}),
    ...(error.code ? { code: error.code } : {}),
    message: stringOf(message, error.message),
    ...readRetryAfter(error.headers),
  };
}

function readRetryAfter(headers: Headers): { readonly retryAfter?: number } {
  const seconds = headers?.get('retry-after');
  return seconds ? { retryAfter: Number(seconds) } : {};
}

/** This SDK puts the error body as JSON into the message, behind a prefix when it came in a stream. */
function describeGenerateContent(error: ApiError): DescribedError {
  const body = parseTail(error.message);
  const inner = objectOf(objectOf(body).error);
  const info = objectsOf(inner.details).find((detail) => stringOf(detail['@type']).endsWith('RetryInfo'));
  return {
    sdk: true,
    name: error.constructor.name,
    status: error.status,
    ...(typeof inner.status === 'string' ? { type: inner.status } : {}),
    message: stringOf(inner.message, error.message),
    ...(info ? { retryAfter: Number.parseFloat(stringOf(info.retryDelay)) } : {}),
  };
}

function parseTail(message: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(message.slice(message.indexOf('{'))));
  } catch {
    return undefined;
  }
}
