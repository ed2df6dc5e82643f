/** The key of every backend here; in it what base64, URLs and JSON each spell in their own way. */
export const KEY = 'sk-Canary/upstream+Key?~>zQ/7x~vV';

/** What a key looks like in the forms in which careless services quote it. */
export const KEY_FORMS: readonly string[] = [
  KEY,
  encodeURIComponent(KEY),
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('base64url'),
  KEY.slice(0, 8),
  KEY.slice(-8),
];

/** A message of a service that tells everything it should not. */
export function indiscretion(host: string): string {
  return `Wrong key ${KEY_FORMS.join(' or ')} at https://${host}/v1/x?key=${encodeURIComponent(KEY)}&alt=sse`;
}

/** Which secrets a text holds, however JSON spells them. */
export function leaksIn(text: string, host: string): string[] {
  const plain = text
    .replaceAll('\\/', '/')
    .replace(/\\u00([0-7][0-9a-f])/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [...KEY_FORMS, host].filter((secret) => plain.includes(secret));
}
