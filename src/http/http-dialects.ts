import type { DialectId } from '../../translators/index.js';
import type { ImagesForm, VideosForm } from '../config/types.js';

/** What HTTP adds to a dialect: the headers and the few places of a body that a gateway must know to relay it. */
export interface HttpDialect {
  /** The form in which the dialect's own service takes a key. */
  readonly keyForm: 'bearer' | 'x-api-key' | 'x-goog-api-key';
  /** Names the version of the protocol. */
  readonly versionHeader?: string;
  /** Names features that a client wants to try. */
  readonly betaHeader?: string;
  /** Where clients look for the id of an answer. */
  readonly idHeaders: readonly string[];
  /** How backends of the dialect make pictures, unless their configuration says otherwise. */
  readonly images: ImagesForm;
  /** The same for videos. */
  readonly videos: VideosForm;
  /** The body, and not the path, says which model is meant and whether a stream is wanted. */
  readonly asksInBody: boolean;
  /** The dialect's own service keeps answers, which later requests name by id. */
  readonly keepsAnswers: boolean;
  /** Tells an error of the dialect from one of a server in between; `error` is the body's own `error`. */
  isError(body: Fields, error: Fields): boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

const httpDialects = {
  messages: {
    keyForm: 'x-api-key',
    versionHeader: 'anthropic-version',
    betaHeader: 'anthropic-beta',
    idHeaders: ['request-id', 'x-request-id'],
    images: 'none',
    videos: 'none',
    asksInBody: true,
    keepsAnswers: false,
    isError: (body, error) => body.type === 'error' && typeof error.type === 'string',
  },
  responses: {
    keyForm: 'bearer',
    betaHeader: 'openai-beta',
    idHeaders: ['x-request-id'],
    images: 'routes',
    videos: 'a',
    asksInBody: true,
    keepsAnswers: true,
    isError: (_body, error) => 'type' in error,
  },
  generateContent: {
    keyForm: 'x-goog-api-key',
    idHeaders: ['x-request-id'],
    images: 'generateContent',
    videos: 'operations',
    asksInBody: false,
    keepsAnswers: false,
    isError: (_body, error) => typeof error.code === 'number' && typeof error.status === 'string',
  },
} as const satisfies Record<DialectId, HttpDialect>;

/** What HTTP adds to a dialect. */
export function httpDialect(dialect: DialectId): HttpDialect {
  return httpDialects[dialect];
}
