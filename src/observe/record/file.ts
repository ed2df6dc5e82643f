import { type FileHandle, open, rename, stat } from 'node:fs/promises';

/** Appends to a file that several processes may write to, and begins a new one in time. */
export interface RecordFile {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Above `most` bytes the file is put aside as `PATH.1`, in the place of the one before. Only its owner may read it. */
export function createRecordFile(path: string, most: number): RecordFile {
  let handle: FileHandle | undefined;
  const close = async (): Promise<void> => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };
  /** The file that is at the path now: another process may have put ours aside. */
  const current = async (): Promise<FileHandle> => {
    const there = await stat(path).catch(() => undefined);
    const own = await handle?.stat();
    if (own !== undefined && own.ino !== there?.ino) await close();
    handle ??= await open(path, 'a', 0o600);
    return handle;
  };
  return {
    async append(text) {
      const file = await current();
      const { size } = await file.stat();
      if (size > 0 && size + Buffer.byteLength(text) > most) {
        await close();
        await rename(path, `${path}.1`);
      }
      await (await current()).appendFile(text);
    },
    close,
  };
}
