/** One of the variants of a page in `npm test`, all of them in `npm run test:long`. */
export const onePass = <T>(variants: readonly T[], chosen = 0): readonly T[] =>
  process.env.TORTURE ? variants : variants.slice(chosen % variants.length).slice(0, 1);
