/** How the file is opened, by everybody who does. */
export const FILE_OPTIONS = {
  maxDbs: 40,
  // What is shorter costs more time, on the main thread, than it saves: the hash table of LZ4 is filled anew for each entry.
  compression: { threshold: 32 * 1024 },
  // With batches by turn of the event loop lmdb makes a promise for each that nobody holds: a commit that fails rejects
  // it, and ends the process.
  eventTurnBatching: false,
} as const;

/** The exit code of a look at a file that found damage. */
export const DAMAGED = 65;
