import { isAscii } from 'node:buffer';
import { type JsonBounds, jsonBeyond } from '../../translators/index.js';
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

/** No literal: the getters of one are defined anew with each of them (docs/internals/decisions/0018-steps-of-an-exchange.md). */
class ArrivedJson implements JsonText {
  readonly arrived: ArrivedBytes;
  #read: { readonly text: string; value?: unknown } | undefined;

  constructor(bytes: Buffer, latin1: string, outline: unknown) {
    // What comes from sockets is never in shared memory.
    this.arrived = { bytes: bytes as Buffer<ArrayBuffer>, latin1, outline, bytesOf };
  }

  get text(): string {
    return this.#reading().text;
  }

  get value(): unknown {
    const read = this.#reading();
    if (!('value' in read)) read.value = JSON.parse(read.text);
    return read.value;
  }

  #reading() {
    const { bytes, latin1, outline } = this.arrived;
    this.#read ??= isAscii(bytes) ? { text: latin1, value: outline } : { text: textOf(bytes) };
    return this.#read;
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

function bytesOf(latin1: string): Buffer<ArrayBuffer> {
  return Buffer.from(latin1, 'latin1');
}
