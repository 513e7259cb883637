import fc from 'fast-check';
import { expect } from 'vitest';
import type { Effort, StepCounter } from '../support/steps.ts';

/** What is made of strangers' bytes, with the most of them that reach it. */
export type Parser = {
  readonly name: string;
  readonly maxLength: number;
  /** What inputs are made of: the characters that mean something to it, and some that mean nothing. */
  readonly pieces: readonly string[];
  /** Inputs that begin and end so come further. */
  readonly frames: readonly (readonly [start: string, end: string])[];
  /** What it does for each character at most, and for none. */
  readonly maxStepsPerCharacter: number;
  readonly maxStepsAtAll: number;
  readonly parse: (text: string) => unknown;
};

/** Of a parser of ours that looks at each character a few times. */
export const LIMITS = { maxStepsPerCharacter: 30, maxStepsAtAll: 20_000 };

const RUNS = process.env.TORTURE ? 500 : 15;
/** Sizes of an input as parts of the most that reaches the parser. */
const PARTS = [1 / 8, 1] as const;
/** Of native code, whose steps nobody counts: eight times as much may take twice what is due, and a blink is nothing. */
const MAX_GROWTH = 16;
const NEGLIGIBLE_MS = 25;
const ATTEMPTS = 3;

export type Input = { readonly start: string; readonly unit: string; readonly end: string };

const inputsOf = ({ pieces, frames }: Parser): fc.Arbitrary<Input> =>
  fc
    .tuple(fc.constantFrom(...frames), fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }))
    .map(([[start, end], unit]) => ({ start, unit: unit.join(''), end }));

const textOf = ({ start, unit, end }: Input, length: number): string =>
  start + unit.repeat(Math.max(0, Math.floor((length - start.length - end.length) / unit.length))) + end;

/** Of so many runs together. Refusals are the usual end. */
async function effortOf(counter: StepCounter, { parse }: Parser, text: string, runs = 1): Promise<Effort> {
  return counter.effortOf(async () => {
    for (let run = 0; run < runs; run += 1)
      try {
        await parse(text);
      } catch {
        // How far it came is what is counted.
      }
  });
}

/** Why an input takes more than linear work; undefined if it does not. */
export async function excessOf(
  counter: StepCounter,
  parser: Parser,
  input: Input,
): Promise<string | undefined> {
  const texts = PARTS.map((part) => textOf(input, part * parser.maxLength));
  let reason: string | undefined;
  // What is slow is slow again; what a busy machine has delayed is not.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const efforts = await inTurn(texts, (text) => effortOf(counter, parser, text));
    reason = excessSteps(parser, texts, efforts);
    if (reason === undefined && !isTimeExcess(efforts)) return undefined;
    // The clock of a thread may have ticks of milliseconds: a single run of the part can take none of them.
    reason ??= await excessTime(counter, parser, texts);
    if (reason === undefined) return undefined;
  }
  return reason;
}

function excessSteps(
  parser: Parser,
  texts: readonly string[],
  efforts: readonly Effort[],
): string | undefined {
  for (const [index, { steps }] of efforts.entries()) {
    const length = texts[index]?.length ?? 0;
    if (steps > parser.maxStepsAtAll + parser.maxStepsPerCharacter * length)
      return `${steps} steps for ${length} characters`;
  }
  return undefined;
}

const isTimeExcess = ([part, whole]: readonly Effort[]): boolean =>
  part !== undefined &&
  whole !== undefined &&
  whole.processorMs > Math.max(NEGLIGIBLE_MS, MAX_GROWTH * part.processorMs);

/** By as much input in each measurement: one whole, and as many parts as it has. */
async function excessTime(
  counter: StepCounter,
  parser: Parser,
  [part = '', whole = '']: readonly string[],
): Promise<string | undefined> {
  const { processorMs: ofParts } = await effortOf(counter, parser, part, 1 / PARTS[0]);
  const { processorMs: ofWhole } = await effortOf(counter, parser, whole);
  if (ofWhole <= Math.max(NEGLIGIBLE_MS, MAX_GROWTH * PARTS[0] * ofParts)) return undefined;
  return `${ofWhole} ms of the processor for as much as takes ${ofParts} ms in parts`;
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Fails for the first input that takes more; each piece is tried alone, before any mixture. */
export async function requireLinearWork(counter: StepCounter, parser: Parser): Promise<void> {
  // Compiles it, and loads what it needs.
  await effortOf(counter, parser, textOf({ start: '', unit: parser.pieces[0] ?? '', end: '' }, 100));
  const single = parser.frames.flatMap(([start, end]) =>
    parser.pieces.map((unit): [Input] => [{ start, unit, end }]),
  );
  await fc.assert(
    fc.asyncProperty(inputsOf(parser), async (input) => {
      expect(await excessOf(counter, parser, input)).toBeUndefined();
    }),
    { numRuns: RUNS + single.length, examples: single },
  );
}
