import type { JsonObject } from '../wire/json.js';
import type { PictureReference } from './fields.js';
import type { Picture } from './image.js';

/** The two formats of the video routes: `/v1/videos` and `/v1/video/generations`. */
export type VideoFormat = 'a' | 'b';

/** Where a task stands. `completed` and `failed` never change. */
export type VideoStatus = 'queued' | 'running' | 'completed' | 'failed';

/** One video on its way, whichever format tells of it. */
export interface VideoTask {
  /** As its own service names it; '' when the service did not say. */
  readonly id: string;
  readonly status: VideoStatus;
  /** 0 to 100. */
  readonly progress?: number;
  readonly model?: string;
  readonly prompt?: string;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly completedAt?: number;
  /** Until when the file can be had. */
  readonly expiresAt?: number;
  /** Decimal number. */
  readonly seconds?: string;
  /** `WIDTHxHEIGHT`. */
  readonly size?: string;
  readonly quality?: string;
  readonly fps?: number;
  readonly seed?: number;
  /** Container format, such as `mp4`. */
  readonly container?: string;
  readonly url?: string;
  /** The service's id of the video that this one was made from. */
  readonly remixedFrom?: string;
  readonly error?: VideoError;
}

/** Why a task failed, in the words of format A. */
export interface VideoError {
  readonly code: string;
  readonly message: string;
}

/** The parameters of a video request. Absent = the client did not say. */
export interface VideoSettings {
  /** Decimal number. */
  readonly seconds?: string;
  /** `WIDTHxHEIGHT`. */
  readonly size?: string;
  readonly quality?: string;
  readonly fps?: number;
  readonly seed?: number;
  readonly n?: number;
  readonly response_format?: string;
  readonly stream?: boolean;
  readonly user?: string;
}

/** A video request as it was read, not yet checked against a family. */
export interface VideoFields {
  readonly format: VideoFormat;
  readonly model: string;
  /** The client named the model; else it is the one that such a request means. */
  readonly named: boolean;
  readonly prompt: string;
  readonly settings: VideoSettings;
  /** Parameters for models that are not of the default family. */
  readonly metadata?: JsonObject;
  /** The picture to begin with, where it is no uploaded file. */
  readonly reference?: PictureReference;
  /** Parameters that nobody here knows: text of a form, any JSON otherwise. */
  readonly extras: readonly (readonly [string, unknown])[];
}

/** A request to make a video, whichever backend serves it. */
export interface VideoRequest extends Omit<VideoFields, 'reference'> {
  readonly reference?: Picture;
}

/** How the parameters are called in a format. */
export const VIDEO_NAMES = {
  a: { seconds: 'seconds', size: 'size', reference: 'input_reference' },
  b: { seconds: 'duration', size: 'width', reference: 'image' },
} as const satisfies Record<VideoFormat, Readonly<Record<'seconds' | 'size' | 'reference', string>>>;
