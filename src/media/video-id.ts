import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { VideoKey } from './video-key.js';

/** Where a video is made, and what its backend does not tell again. */
export interface VideoRef {
  readonly backend: string;
  /** The backend's own id. */
  readonly id: string;
  readonly kept?: VideoKept;
}

/** What only the request said. `created` in Unix seconds. */
export interface VideoKept {
  readonly model: string;
  readonly created: number;
  readonly seconds?: string;
  readonly size?: string;
}

/**
 * The ids that clients see. One holds everything that is needed to find its video again, encrypted and bound to whom it
 * was given: it is enough alone, any gateway with the same key reads it, the same video has always the same one (hard
 * case VID-03), and what somebody else was given, or made up, is unknown.
 */
export interface VideoIds {
  /** Rejects when ids could not be made: asked before anything is paid. */
  ready(): Promise<void>;
  seal(tenant: string, ref: VideoRef): Promise<string>;
  open(tenant: string, id: string): Promise<VideoRef | undefined>;
}

const ID = /^video_([A-Za-z0-9_-]{40,6000})$/;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createVideoIds(keyOf: VideoKey): VideoIds {
  return {
    async ready() {
      await keyOf();
    },
    async seal(tenant, { backend, id, kept }) {
      const key = await keyOf();
      const text = JSON.stringify(kept === undefined ? [backend, id] : [backend, id, kept]);
      // The nonce follows from what is sealed: equal ids for equal videos, and no nonce ever serves two texts.
      const nonce = createHmac('sha256', key).update(`${tenant}\n${text}`).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(tenant));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `video_${sealed.toString('base64url')}`;
    },
    async open(tenant, id) {
      const text = ID.exec(id)?.[1];
      const bytes = Buffer.from(text ?? '', 'base64url');
      // Its last letter has spare bits, which would give one id several spellings.
      if (bytes.toString('base64url') !== text || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, await keyOf(), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(tenant)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
        return refOf(JSON.parse(decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8')));
      } catch {
        return undefined;
      }
    },
  };
}

/** Only what was sealed here comes this far. */
function refOf([backend, id, kept]: [string, string, VideoKept?]): VideoRef {
  return { backend, id, ...(kept !== undefined && { kept }) };
}
