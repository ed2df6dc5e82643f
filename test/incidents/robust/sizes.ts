/** Megabytes of a long event; a long run takes the 64 of hardening.md row 52. */
export const LONG_EVENT_MB = Number(process.env.INTERLINGUA_LONG_EVENT_MB ?? 8);
