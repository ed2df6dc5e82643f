/** The oldest Node.js that has the security fixes that a server needs; `engines` of the package says the same. */
export const OLDEST = [20, 19] as const;

/** What is wrong with a version of Node.js such as `18.20.4`; undefined when it will do (hardening.md row 60). */
export function faultOfRuntime(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, least] = OLDEST;
  if (major > oldest || (major === oldest && minor >= least)) return undefined;
  return `needs Node.js ${oldest}.${least} or newer, and this is ${version}`;
}
