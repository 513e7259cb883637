import { readXml, type Xml } from '../../../platform/values/xml.ts';
import { acceptedBy, type ExportOutcome, rejectedFor } from '../outcome.ts';

type Result = { readonly type: string; readonly text: string; readonly number: string };

const LONGEST_WORDS = 200;
const UNTOLD = 'the answer does not tell of it';

/**
 * What became of each invoice of a message. Whatever tells of none of them is no answer: the whole message is tried
 * again. A document that is there already is there by us only if an earlier attempt can have brought it.
 */
export async function readAccountingAnswer(
  bytes: Uint8Array,
  numbers: readonly number[],
  { repeated }: { readonly repeated: boolean },
): Promise<ExportOutcome[]> {
  const results = resultsIn(await readXml(bytes));
  const outcomes = numbers.map((number) => {
    const own = results.filter((result) => result.number === String(number));
    if (own.some(({ type, text }) => type === '0' || (repeated && isDuplicate(text))))
      return acceptedBy(number);
    return own[0] && rejectedFor(number, `${own[0].text} (${own[0].type})`);
  });
  if (outcomes.every((outcome) => outcome === undefined)) throw new Error(unusable(results));
  return outcomes.map((outcome, index) => outcome ?? rejectedFor(numbers[index] ?? 0, UNTOLD));
}

const isDuplicate = (text: string): boolean => /\bduplicate\b/i.test(text);

/** Directo writes the names in either case, and a refusal of everything as the root itself. */
function resultsIn(root: Xml | undefined): Result[] {
  if (!root) return [];
  const elements = root.name.toLowerCase() === 'result' ? [root] : root.children;
  return elements.filter(({ name }) => name.toLowerCase() === 'result').map(resultOf);
}

function resultOf({ attributes }: Xml): Result {
  const told = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  return { type: told.type ?? '', text: told.desc ?? '', number: told.docid ?? '' };
}

function unusable([first]: readonly Result[]): string {
  if (!first) return 'Answered something that cannot be read';
  return `Answered about no invoice: ${first.text.slice(0, LONGEST_WORDS)} (${first.type})`;
}
