/** The signs of the kinds of loss, which stand beside their colours everywhere. */
export const SIGNS = { dropped: '-', approximated: '~', moved: '>', invented: '+' } as const;
