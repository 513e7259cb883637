const FIRST = [
  'puidu',
  'tamme',
  'kuuse',
  'mere',
  'saare',
  'linna',
  'metsa',
  'kivi',
  'päikese',
  'õuna',
  'küla',
  'järve',
  'põhja',
  'lõuna',
  'sinise',
  'valge',
  'vana',
  'uue',
  'rohe',
  'tuule',
];
const SECOND = [
  'koda',
  'kohvik',
  'pood',
  'talu',
  'aed',
  'köök',
  'stuudio',
  'meister',
  'maja',
  'ehitus',
  'abi',
  'vedu',
  'disain',
  'rent',
  'koolitus',
  'foto',
  'laulud',
];

/** Names that neighbour one another differ in both words. */
export const exampleNames: readonly string[] = SECOND.flatMap((_, shift) =>
  FIRST.map((first, index) => `${first}${SECOND[(index + shift) % SECOND.length] ?? ''}.ee`),
);

/** Random numbers that are the same each time, so that the example is. */
export function sameEachTime(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
