/** The first that matches: most browsers name others too. */
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const MAX_SHOWN = 60;

/** A browser as people know it, such as "Firefox, Linux"; else the beginning of what it calls itself. */
export function browserName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([mark]) => mark.test(userAgent))?.[1] ?? [],
  );
  return named.length > 0 ? named.join(', ') : userAgent.slice(0, MAX_SHOWN);
}
