import { isAscii } from 'node:buffer';
import { type JsonBounds, jsonBeyond, parseJsonBytes } from '../../translators/index.js';
import type { ArrivedBytes, JsonText } from '../protocol/index.js';

/**
 * A body that is expected to go on as it came, of bytes that are UTF-8; undefined for what is no JSON within the bounds. It is read as
 * Latin-1, which takes a part of the time of reading UTF-8; its text and its value are made when somebody asks for them after all.
 */
export function readArrived(bytes: Buffer, latin1: string, bounds: JsonBounds): JsonText | undefined {
  if (jsonBeyond(latin1, bounds) !== undefined) return undefined;
  try {
    return new ArrivedJson(bytes, latin1, JSON.parse(latin1));
  } catch {
    return undefined;
  }
}

/** A body that was read: its text is made of its bytes again when somebody asks for it, so that nothing holds both while a backend answers. */
export function keptJson(value: unknown, length: number, bytes: Buffer): JsonText {
  return new KeptJson(value, length, bytes as Buffer<ArrayBuffer>);
}

/** No literals: the getters of one are defined anew with each of them (docs/internals/decisions/0018-steps-of-an-exchange.md). */
class KeptJson implements JsonText {
  readonly value: unknown;
  readonly length: number;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(value: unknown, length: number, bytes: Uint8Array<ArrayBuffer>) {
    this.value = value;
    this.length = length;
    this.bytes = bytes;
  }

  get text(): string {
    return textOf(this.bytes);
  }
}

class ArrivedJson implements JsonText {
  readonly arrived: Arrived;
  #text: string | undefined;
  #value: { readonly value: unknown } | undefined;

  constructor(bytes: Buffer, latin1: string, outline: unknown) {
    // What comes from sockets is never in shared memory.
    this.arrived = new Arrived(bytes as Buffer<ArrayBuffer>, latin1, outline);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.arrived.bytes;
  }

  get text(): string {
    const { bytes } = this.arrived;
    if (isAscii(bytes)) return this.arrived.latin1;
    this.#text ??= textOf(bytes);
    return this.#text;
  }

  get value(): unknown {
    if (isAscii(this.arrived.bytes)) return this.arrived.outline;
    this.#value ??= { value: parseJsonBytes(this.arrived.bytes) };
    return this.#value.value;
  }

  release(): void {
    this.#text = undefined;
    this.#value = undefined;
    this.arrived.release();
  }
}

class Arrived implements ArrivedBytes {
  readonly bytes: Buffer<ArrayBuffer>;
  #latin1: string | undefined;
  #outline: { readonly value: unknown } | undefined;

  constructor(bytes: Buffer<ArrayBuffer>, latin1: string, outline: unknown) {
    this.bytes = bytes;
    this.#latin1 = latin1;
    this.#outline = { value: outline };
  }

  get latin1(): string {
    this.#latin1 ??= this.bytes.toString('latin1');
    return this.#latin1;
  }

  get outline(): unknown {
    this.#outline ??= { value: JSON.parse(this.latin1) };
    return this.#outline.value;
  }

  bytesOf(latin1: string): Buffer<ArrayBuffer> {
    return Buffer.from(latin1, 'latin1');
  }

  release(): void {
    this.#latin1 = undefined;
    this.#outline = undefined;
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
