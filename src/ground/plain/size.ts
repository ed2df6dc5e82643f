/** Bytes of what the configuration calls one MB. */
export const MB = 1024 * 1024;
