import { setImmediate as turn } from 'node:timers/promises';

/** Sorts in a millisecond or two. */
const PIECE = 4_096;

/** Sorts like toSorted, but yields to the event loop in between: a hundred thousand names take long. */
export async function sortCooperatively(texts: readonly string[]): Promise<string[]> {
  if (texts.length <= PIECE) return texts.toSorted();
  let runs: string[][] = [];
  for (let from = 0; from < texts.length; from += PIECE) {
    runs.push(texts.slice(from, from + PIECE).toSorted());
    await turn();
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      longer.push(await merged(runs[index] ?? [], runs[index + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged(one: readonly string[], other: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [first, second] = [one[left], other[right]];
    const takesFirst = second === undefined || (first !== undefined && first <= second);
    all.push((takesFirst ? first : second) as string);
    if (takesFirst) left += 1;
    else right += 1;
    if (all.length % PIECE === 0) await turn();
  }
  return all;
}
