import type { ImageOperation, PictureType } from './families.js';
import type { ImageSettings } from './settings.js';

/** What the header of a picture tells. */
export interface PictureFacts {
  readonly type: PictureType;
  /** Absent when the header does not tell. */
  readonly width?: number;
  readonly height?: number;
  /** It has an alpha channel; whether a pixel is transparent is not known. */
  readonly alpha: boolean;
  /** It has more than one frame. */
  readonly animated: boolean;
  /** Size of the file. */
  readonly bytes: number;
}

/** A picture that came with a request. */
export type Picture =
  | {
      readonly from: 'bytes';
      /** JSON Pointer to where it stood. */
      readonly path: string;
      readonly facts: PictureFacts;
      /** Its bytes as standard base64. */
      base64(): string;
    }
  | { readonly from: 'url'; readonly path: string; readonly url: string }
  /** A file that the backend keeps. */
  | { readonly from: 'file'; readonly path: string; readonly id: string };

/** A request to make pictures, whichever backend serves it. */
export interface ImageRequest {
  readonly operation: ImageOperation;
  readonly prompt?: string;
  readonly settings: ImageSettings;
  /** The pictures to work on, in their order. */
  readonly images: readonly Picture[];
  readonly mask?: Picture;
  /** Names of parameters that no family knows; they pass where the backend has the same routes. */
  readonly extras: readonly string[];
}

/** One picture that was made. */
export interface MadeImage {
  /** Standard base64. */
  readonly base64?: string;
  readonly url?: string;
  /** The prompt that was really used. */
  readonly revisedPrompt?: string;
}

export interface ImageUsage {
  readonly input: number;
  readonly output: number;
  readonly total: number;
  readonly inputText: number;
  readonly inputImage: number;
  readonly outputText?: number;
  readonly outputImage?: number;
}

/** How the pictures were really made, where the backend tells. */
export interface ImageManner {
  readonly background?: string;
  readonly output_format?: string;
  readonly size?: string;
  readonly quality?: string;
}

/** What one call of a backend brought. */
export interface ImageAnswer {
  readonly images: readonly MadeImage[];
  readonly usage?: ImageUsage;
  readonly manner?: ImageManner;
}

const PICTURE_MIMES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
} as const satisfies Record<PictureType, string>;

/** The media type of a picture. */
export function mimeOf(type: PictureType): string {
  return PICTURE_MIMES[type];
}
