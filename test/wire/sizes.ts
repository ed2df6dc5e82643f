/** Megabytes of a long event; a long run takes 60, just below the limit of an event (hardening.md row 52). */
export const LONG_EVENT_MB = Number(process.env.INTERLINGUA_LONG_EVENT_MB ?? 8);
