/** An entry of test/unstable.json: a test file that failed among the others and passed alone, and the day it was seen. */
export type UnstableTest = { readonly file: string; readonly since: string };

const MAX_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/** What is wrong with the list, one sentence each. */
export function checkUnstable(
  list: readonly UnstableTest[],
  now: Date,
  exists: (file: string) => boolean,
): string[] {
  return list.flatMap(({ file, since }) => {
    const day = Date.parse(`${since}T00:00:00Z`);
    if (Number.isNaN(day) || day > now.getTime()) return [`${file}: "${since}" is no day until today`];
    if (!exists(file)) return [`${file}: there is no such file; remove its entry`];
    const age = Math.floor((now.getTime() - day) / DAY_MS);
    return age > MAX_AGE_DAYS ? [`${file}: unstable for ${age} days; mend it before other work`] : [];
  });
}
