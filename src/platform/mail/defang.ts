/** A dot with something before it and the beginning of a top-level domain behind: programs make a link of that. */
const LOOKS_LIKE_A_HOST = /[^\s.][.\u3002\uff0e\uff61]\p{L}[\p{L}\p{M}\p{N}-]/u;
const SCHEME = '://';
const DOT = /[.\u3002\uff0e\uff61]/g;
/** What stands around a word in a sentence. */
const PUNCTUATION = '.,;:!?()"\'“”„«»';

/**
 * Makes addresses in a text unusable as links, as `http[://]evil[.]example`: mail programs turn whatever looks like
 * one into a link, and a name that somebody gave a contact may look like one. Words of `trusted` stay as they are.
 */
export function defang(text: string, trusted: readonly string[]): string {
  const known = new Set(trusted.map((word) => word.toLowerCase()));
  return text.replace(/\S+/g, (run) => {
    if (!run.includes(SCHEME) && !LOOKS_LIKE_A_HOST.test(run)) return run;
    const from = lengthOfPunctuation([...run]);
    const until = run.length - lengthOfPunctuation([...run].reverse());
    const word = run.slice(from, until);
    if (known.has(word.toLowerCase())) return run;
    return (
      run.slice(0, from) + word.replaceAll(SCHEME, `[${SCHEME}]`).replace(DOT, '[$&]') + run.slice(until)
    );
  });
}

/** At the beginning of these characters. */
function lengthOfPunctuation(characters: readonly string[]): number {
  const end = characters.findIndex((character) => !PUNCTUATION.includes(character));
  return end < 0 ? characters.length : end;
}
