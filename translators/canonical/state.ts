/** One piece of opaque state of an issuer (translation.md 4.1). */
export interface StateEntry {
  /** Id of the dialect whose service issued it. */
  readonly dialect: string;
  /** Which installation of that service can read it; `unknown:<dialect>` when a client sent it bare. */
  readonly domain: string;
  readonly kind: 'reasoning' | 'signature' | 'hosted' | 'summary' | 'note' | 'none';
  /** Exact JSON text of the issuing node; for `signature` the signature alone. */
  readonly payload: string;
  /** For `signature`: the kind of part it sits on. */
  readonly on?: 'text' | 'empty' | 'call' | 'image';
  /** For `signature`: first 8 bytes, in hex, of SHA-256 of the part's text (of a call: its name). */
  readonly h?: string;
}
